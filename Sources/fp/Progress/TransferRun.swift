import FileProviders

/// Runs a transfer with visible output: a display on a terminal, lines for what is worth one, JSON if requested.
///
/// The engine's events come from several tasks, but one at a time; with a display, a clock's ticks come between them.
final class TransferRun {
    private enum Input: Sendable {
        case event(TransferEvent)
        case tick
    }

    private let invocation: Invocation
    private let options: CopyOptions
    private let sources: CopySources
    /// Formats the lines about items.
    var lines: TransferLines
    /// Called for each item.
    var onReceipt: (TransferReceipt) -> Void = { _ in }
    /// Sources named on the command line: if the destination cannot hold one, that is an error, not just a notice.
    var named: Set<ItemPath> = []
    /// How many of them it could not hold.
    private(set) var refused = 0
    /// What had been done when a transfer was stopped.
    private(set) var unfinished = TransferReport()
    private let showsProgress: Bool
    private var status = TransferStatus()
    private var area = StatusArea()
    private var meter = RateMeter()

    /// - Parameters:
    ///   - sources: name the sources' paths in messages.
    ///   - target: names the targets' paths.
    init(_ invocation: Invocation, _ options: CopyOptions, sources: CopySources, target: Endpoint) {
        self.invocation = invocation
        self.options = options
        self.sources = sources
        lines = TransferLines(sources: sources, target: target)
        showsProgress = !options.quiet && !options.json && StatusArea.isPossible(invocation.environment)
    }

    /// Copies, and reports what happens on the way.
    ///
    /// - Throws: `CancellationError`, and an error of standard output; the transfer has ended then, and ``unfinished``
    ///   tells how far it came. A reader that closes the pipe does not end it.
    func run(_ plan: TransferPlan) async throws -> TransferReport {
        let transfer = Transfer(plan, in: invocation.transferEnvironment)
        let start = ContinuousClock.now
        do {
            if showsProgress {
                try await display(transfer)
            } else {
                for await event in transfer { try take(.event(event)) }
            }
            return try await transfer.report
        } catch {
            transfer.cancel()
            _ = try? await transfer.report
            unfinished = transfer.reportSoFar
            unfinished.duration = .now - start
            throw error
        }
    }

    /// Processes the events in turns with the ticks of a clock. Each is waited for: while the terminal takes nothing,
    /// nothing gathers.
    private func display(_ transfer: Transfer) async throws {
        let (inputs, input) = AsyncStream.makeStream(of: Input.self)
        let (takenEvents, takenEvent) = AsyncStream.makeStream(of: Void.self)
        let (takenTicks, takenTick) = AsyncStream.makeStream(of: Void.self)
        async let events: Void = Self.forward(transfer, to: input, awaiting: takenEvents)
        async let ticking: Void = Self.tick(to: input, awaiting: takenTicks)
        defer {
            takenEvent.finish()
            takenTick.finish()
            area.clear()
        }
        for await input in inputs {
            try take(input)
            if case .tick = input { takenTick.yield() } else { takenEvent.yield() }
        }
        takenTick.finish()
        await events
        await ticking
    }

    private static func forward(
        _ transfer: Transfer, to input: AsyncStream<Input>.Continuation, awaiting taken: AsyncStream<Void>
    ) async {
        var taken = taken.makeAsyncIterator()
        for await event in transfer {
            input.yield(.event(event))
            await taken.next()
        }
        input.finish()
    }

    /// Keeps the display moving while nothing else happens; ends with the transfer.
    private static func tick(
        to input: AsyncStream<Input>.Continuation, awaiting taken: AsyncStream<Void>
    ) async {
        var taken = taken.makeAsyncIterator()
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(100))
            if case .terminated = input.yield(.tick) { return }
            await taken.next()
        }
    }

    private func take(_ input: Input) throws {
        if case .event(let event) = input {
            if showsProgress { status.apply(event) { ShownName.escaped(sources.name(of: $0)) } }
            if case .ended(let receipt) = event { try note(receipt) }
        }
        guard showsProgress else { return }
        let now = ContinuousClock.now
        guard area.isDue(at: now) else { return }
        meter.note(status.bytes, at: now)
        let lines = ProgressLines(width: StatusArea.width, colored: !invocation.environment.noColor)
        area.draw(lines.lines(status, rate: meter.rate), at: now)
    }

    private func note(_ receipt: TransferReceipt) throws {
        onReceipt(receipt)
        let isRefused = receipt.isUnfit && named.contains(receipt.source)
        if let error = lines.error(of: receipt) {
            area.clear()
            invocation.failed(error, at: lines.place(of: receipt))
        } else if isRefused {
            area.clear()
            refused += 1
            invocation.failed(lines.refusal(of: receipt))
        } else {
            invocation.succeeded()
        }
        if options.json {
            try write(lines.json(receipt, isRefused: isRefused))
        } else if !isRefused, let text = lines.text(receipt, isVerbose: options.verbose) {
            area.clear()
            if options.dryRun { try write(Array("\(text)\n".utf8)) } else { invocation.messages.notice(text) }
        }
    }

    /// Writes a line at once: somebody may be watching.
    private func write(_ line: [UInt8]) throws {
        do {
            try invocation.output.write(line)
            try invocation.output.flush()
        } catch let end as StandardOutput.Ended where end.failure == nil {}
    }
}
