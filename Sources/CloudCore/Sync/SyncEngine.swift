import FileProviding
import Foundation
import Logging

/// Sends the commands in a vault to the server: each in its turn, several in parallel.
///
/// It works only while requested: ``run()``, ``settle(waiting:)``, or ``work(during:)`` for whoever awaits a command.
/// What was in progress when a program ended is ready again at the next start; the attempt finds out whether it had
/// been done.
actor SyncEngine {
    let vault: Vault
    let connection: any Connection
    let commands: CommandRegistry
    let budget: SyncBudget
    let handler: EventHandlerIdentifier
    let clock: any Clock<Duration>
    let logger: Logger
    let discovery: Discovery
    let issueBoard: IssueBoard

    let statusBoard = ConnectionStatusBoard()
    /// The subject of the last failure of the connection.
    var notedSubject: Issue.Subject?
    /// The state that was written to the database last, or is being written.
    var notedStatus: ConnectionStatus?
    /// The check whether the server is available, shared by all requests that failed meanwhile.
    var doubt: Task<Void, Never>?
    /// The number of failed checks of whether the server is available again.
    var probes = 0
    var isProbing = false
    /// A copy of the vault's records, from when the engine begins to work until it rests.
    var order = RecordOrder()
    private(set) var isInOrder = false
    /// Attempts that wait for room.
    private var queue = AttemptQueue()
    var workers = Workers()
    var cancelled: Set<EventID> = []
    /// Whether there may be events that could not be acted on when they came.
    var hasQueuedEvents = false
    /// Whether abandoned uploads may have left something on the server.
    var hasLeftovers = false
    /// Changes of records that wait for the current transaction to end.
    var changes: [WaitingChange] = []
    /// Those of them that the connection waits for.
    var urgentChanges: [WaitingChange] = []
    var isChanging = false
    private(set) var isWorking = false
    private var waker: AsyncStream<Void>.Continuation?
    var settlers: [UUID: Settler] = [:]
    private var alarm: FileTime?
    /// Those who want the engine to work, until they end; the engine does one work for all of them.
    private var employers: [UUID: AsyncThrowingStream<Void, any Error>.Continuation] = [:]
    private var worker: Task<Void, Never>?
    /// The worker, if it waits for the end of another task's work.
    private var successor: CheckedContinuation<Void, Never>?

    init(
        vault: Vault, connection: any Connection, commands: CommandRegistry, discovery: Discovery,
        issueBoard: IssueBoard, budget: SyncBudget, clock: any Clock<Duration>, logger: Logger
    ) {
        self.vault = vault
        self.connection = connection
        self.commands = commands
        self.discovery = discovery
        self.issueBoard = issueBoard
        self.budget = budget
        self.clock = clock
        self.logger = logger
        handler = EventHandlerIdentifier(rawValue: "CloudCore.\(vault.bookmark.id.uuidString)")
    }

    /// The state of the connection to the server.
    nonisolated var status: ConnectionStatus { statusBoard.status }

    /// Notifies the engine that there may be new records, and which others a command has removed or lets continue.
    func wake(changed: Set<Int64> = []) {
        order.note(changed: isInOrder ? changed : [])
        goOn()
    }

    /// Notifies the engine that a record may continue.
    func goOn() {
        giveRoom()
        waker?.yield()
    }

    // MARK: Working

    /// Works until the task is cancelled.
    ///
    /// Several callers share one work, which ends with the last of them: what was begun for one is not interrupted by
    /// another's end.
    func run() async throws {
        let id = UUID()
        let (ended, employer) = AsyncThrowingStream.makeStream(of: Void.self)
        employers[id] = employer
        if worker == nil { worker = Task { await self.workForEmployers() } }
        let result: Result<Void, any Error>
        do {
            for try await _ in ended {}  // Nothing comes: it ends with the task, or with the work.
            result = .success(())
        } catch { result = .failure(error) }
        employers[id] = nil
        if employers.isEmpty, let worker {
            worker.cancel()
            callSuccessor()
            await worker.value
        }
        try result.get()
        try Task.checkCancellation()
    }

    /// Works for as long as `wait` waits for a result of the work.
    func work<Value: Sendable>(during wait: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await wait() }
            group.addTask {
                try await self.run()
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() { if let result { return result } }
            throw CancellationError()
        }
    }

    private func workForEmployers() async {
        do {
            while isWorking, !Task.isCancelled { await untilRest() }
            try Task.checkCancellation()
            try await work()
            worker = nil
        } catch {
            worker = nil
            if !error.isCancellation { return employers.values.forEach { $0.finish(throwing: error) } }
        }
        // Somebody came while it was ending.
        if !employers.isEmpty { worker = Task { await self.workForEmployers() } }
    }

    /// Waits until the current work has ended, or nobody wants the worker any more.
    private func untilRest() async {
        await withCheckedContinuation { successor = $0 }
    }

    private func callSuccessor() {
        successor?.resume()
        successor = nil
    }

    /// Works indefinitely, or until nothing will continue by itself before a deadline.
    func work(until deadline: FileTime? = nil) async throws {
        isWorking = true
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.waker = waker
        defer { rest() }
        try await recover()
        isInOrder = true
        wake()
        try await withThrowingDiscardingTaskGroup { group in
            defer {
                group.cancelAll()
                dismissWorkers()
            }
            for await _ in wakes {
                var now: FileTime
                repeat {
                    if order.hasNews { try await admitNew() }
                    // What comes due from here on is awaited, and not treated as begun.
                    now = vault.clock()
                    while let record = next(now) {
                        order.begin(record)
                        if !handOver(record) { group.addTask { await self.makeAttempts(beginningWith: record) } }
                    }
                } while order.hasNews
                if hasLeftovers, status.allowsOperations {
                    hasLeftovers = false
                    group.addTask { await self.discardLeftovers() }
                }
                if deadline == nil, let pause = nextProbe() { group.addTask { await self.probe(after: pause) } }
                if let time = nextAlarm(after: now) { group.addTask { await self.ring(at: time) } }
                guard order.running.isEmpty else { continue }
                let next = status.allowsOperations ? order.firstTime(after: now) : nil
                resumeSettlers(before: next)
                if let deadline, next.map({ deadline < $0 }) ?? true { break }
            }
        }
    }

    private func rest() {
        waker = nil
        (isWorking, isInOrder) = (false, false)
        (order, alarm) = (RecordOrder(), nil)
        (probes, isProbing) = (0, false)
        endSettling()
        callSuccessor()
    }

    /// Acts on events of earlier runs of the program, and makes ready again what was in progress.
    private func recover() async throws {
        try await applyEvents()
        let (wasAway, hasRecords) = try await vault.database.write { writer in
            try writer.resetInterruptedRecords()
            return (try writer.reader.hasMissedServer(), try !writer.reader.standings(after: 0, atMost: 1).isEmpty)
        }
        hasLeftovers = true
        if !status.allowsOperations, !status.needsUser { statusBoard.forget() }
        // One request shows whether it is back, instead of one of each command, all of which would have to fail.
        if wasAway, status == .unknown { await look() }
        // If the root is another one by now, this is to be known before something is sent there.
        if hasRecords, connection.isMounted { _ = try? await discovery.checkRoot() }
    }

    // MARK: Order

    /// Puts new records in order, some at a time if there are many, and applies what commands have done to others.
    private func admitNew() async throws {
        let reading = order.beginReading()
        let (new, others) = try await vault.database.read { reader in
            (
                try reader.standings(after: reading.last, atMost: RecordOrder.Reading.portion),
                try reader.standings(of: reading.changed)
            )
        }
        order.endReading(reading, new: new, others: others)
    }

    /// Returns the next record that may begin, in the order of the commands.
    private func next(_ now: FileTime) -> SyncRecord? {
        guard status.allowsOperations else { return nil }
        return order.next(within: budget) { isMet($0, now) }
    }

    /// Waits until the connection may be given a record's operation.
    ///
    /// - Returns: `false` when the command has been cancelled in the meantime.
    func room(for record: SyncRecord) async -> Bool {
        guard !cancelled.contains(record.id) else { return false }
        return await withCheckedContinuation { go in
            queue.insert(record, go)
            giveRoom()
        }
    }

    /// Calls off an attempt that waits for room, if there is one.
    func callOff(_ number: Int64) { queue.remove(number)?.go.resume(returning: false) }

    private func giveRoom() {
        while let next = queue.popFirst(where: { order.running.hasRoom(for: $0, within: budget) }) {
            order.running.advance(next.record.number, to: .performing(nil, attempt: next.record.attempt))
            next.go.resume(returning: true)
        }
    }

    private func isMet(_ condition: WaitCondition, _ now: FileTime) -> Bool {
        switch condition {
        case .network, .maintenance, .authentication, .trust, .address: status.allowsOperations
        case .time(let time): time <= now || time > now.later(bySeconds: Self.longestPause)
        case .answer: false
        }
    }

    // MARK: Time

    /// The longest time that a record waits; a later time comes from a clock that has jumped back.
    static let longestPause: Int64 = 600

    /// Returns when something may continue by itself; `nil` when that is awaited already, or never. What could continue
    /// by now waits for something else: the server, or its turn.
    private func nextAlarm(after now: FileTime) -> FileTime? {
        guard let first = order.firstTime(after: now), first != alarm else { return nil }
        alarm = first
        return first
    }

    private func ring(at time: FileTime) async {
        let nanoseconds = max(0, time.nanoseconds - vault.clock().nanoseconds)
        try? await clock.sleep(for: .nanoseconds(nanoseconds))
        if alarm == time { alarm = nil }
        goOn()
    }
}
