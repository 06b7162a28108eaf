import FileProviders

/// One run of a subcommand: its input and output, its access to locations, and its results so far.
final class Invocation {
    /// The arguments as they were given, for what depends on their order.
    let arguments: [String]
    /// The variables of the process.
    let environment: Environment
    /// The output of data.
    let output = StandardOutput()
    /// The output of everything else.
    var messages: Messages
    /// Opens locations.
    let access: Access
    /// The environment of transfers: journals of earlier runs, and where to keep this one's. If none can be kept, that
    /// is reported once.
    private(set) lazy var transferEnvironment = TransferEnvironment(journals: journals())
    /// The results so far.
    private(set) var tally = Tally()

    /// - Parameters:
    ///   - command: the command's name for messages.
    ///   - folder: what relative paths are relative to, as encoded by ``ArgumentText``; the working directory by
    ///     default.
    init(
        command: String, arguments: [String], environment: Environment, options: AccessOptions, folder: String? = nil
    ) {
        self.arguments = arguments
        self.environment = environment
        messages = Messages(command: command)
        access = Access(environment: environment, options: options, folder: folder)
    }

    private func journals() -> TransferJournals? {
        let journals = TransferJournals(folder: environment.transfers, note: BegunCommand(arguments).note)
        do { try journals.prepare() } catch {
            messages.notice("an interruption could not be continued: \(ErrorText.line(error, at: nil))")
            return nil
        }
        return journals
    }

    /// Runs work with a location; an error is reported and counted, and the next location follows.
    ///
    /// - Parameter target: the destination, which an error may be about as well.
    /// - Throws: `CancellationError`, and ``StandardOutput/Ended``.
    func with(
        _ location: LocationArgument, as role: Access.Role = .source, to target: Endpoint? = nil,
        _ work: (Endpoint) async throws -> Void
    ) async throws {
        var opened: [Endpoint] = []
        let (failures, written) = (tally.failures, output.count)
        do {
            try await attempt {
                let endpoint = try access.open(location, as: role)
                opened = [endpoint] + (target.map { [$0] } ?? [])
                try await work(endpoint)
            }
            // Work that has reported and counted failures itself is no success.
            if tally.failures == failures { succeeded() }
        } catch {
            if output.count > written { tally.began() }
            try note(error, at: opened.place(of: error) ?? ShownName.escaped(location.bytes))
        }
    }

    /// Runs work with each location in turn.
    func forEach(_ locations: [LocationArgument], _ work: (Endpoint) async throws -> Void) async throws {
        for location in locations { try await with(location, work) }
    }

    /// Runs work as one unit; an error is reported and counted.
    func supervise(_ location: LocationArgument? = nil, _ work: () async throws -> Void) async throws {
        do {
            try await work()
            succeeded()
        } catch {
            try note(error, at: location.map { ShownName.escaped($0.bytes) })
        }
    }

    /// Passes on the pages of a listing of everything below a location. A directory below the location that cannot be
    /// listed is reported and counted, and what comes after it is still passed on.
    func forEachPage(
        of listing: DirectoryListing, at endpoint: Endpoint, _ work: (DirectoryListing.Page) throws -> Void
    ) async throws {
        var pages = listing.makeAsyncIterator()
        while true {
            do {
                guard let page = try await pages.next() else { return }
                try work(page)
            } catch {
                try pass(error, below: endpoint)
            }
        }
    }

    /// Reports and counts an error about an item below a location, so that the others follow.
    ///
    /// - Throws: the error, when it is about the location itself or about something else.
    func pass(_ error: any Error, below endpoint: Endpoint) throws {
        guard let place = endpoint.placeBelow(of: error) else { throw error }
        try note(error, at: place)
    }

    /// Reports and counts an error after the output so far.
    ///
    /// - Throws: what ends the command.
    func note(_ error: any Error, at place: String?) throws {
        if error is StandardOutput.Ended || error.isCancellation { throw error }
        try output.flush()
        failed(error, at: place)
    }

    /// Runs work, and runs it again after the user was asked for what was missing: a password, trust in a certificate.
    /// Not again once there was output.
    func attempt<Result>(_ work: () async throws -> Result) async throws -> Result {
        while true {
            let written = output.count
            do {
                return try await work()
            } catch {
                guard output.count == written, try access.improve(after: error) else { throw error }
            }
        }
    }

    /// Makes a plan with several locations; an error names the one that it is about.
    ///
    /// - Parameters:
    ///   - source: the first of them.
    ///   - json: whether a failure is also an event, followed by a report.
    /// - Returns: `nil` when that failed, which has been counted.
    func plan<Plan>(
        from source: LocationArgument, json: Bool, _ work: (inout [Endpoint]) async throws -> Plan
    ) async throws -> Plan? {
        var endpoints: [Endpoint] = []
        do {
            return try await attempt {
                endpoints = []
                return try await work(&endpoints)
            }
        } catch let error where error.isCancellation {
            if json { try output.write(TransferLines.json(TransferReport(), isStopped: true)) }
            throw error
        } catch {
            let place = endpoints.place(of: error)
            failed(error, at: place)
            if json {
                let text = endpoints.first?.location.text ?? source.bytes
                try output.write(TransferLines.json(error, of: text, at: place))
                try output.write(TransferLines.json(TransferReport(), refused: 1))
            }
            return nil
        }
    }

    /// Counts a success.
    func succeeded() { tally.succeeded() }

    /// Reports and counts a failure.
    func failed(_ error: any Error, at place: String? = nil) {
        tally.failed(error)
        messages.error(error, at: place)
    }
}
