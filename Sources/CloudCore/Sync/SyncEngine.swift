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
    var lanes = Lanes()
    /// The records that have been put in order, whatever they wait for.
    var records: [Int64: SyncRecord] = [:]
    /// Those of them that have no other before them and are not in progress.
    var free = FreeRecords()
    /// Those of them that are in progress.
    var running = RunningRecords()
    private var queue = AttemptQueue()
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
    /// Whether the records here match the vault's: from when it begins to work until it rests.
    private(set) var isInOrder = false
    private(set) var lastAdmitted: Int64 = 0
    /// Whether there may be records that have not been put in order yet.
    private var hasNews = false
    /// Records that commands have changed, and whose state here is outdated.
    private var changedOutside: Set<Int64> = []
    /// Records that have been updated since the last read of those to be put in order.
    private var overtaken: Set<Int64> = []
    /// How many records are put in order at a time, so that the first ones begin before the last ones are read.
    private static let admission = 128
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
        if isInOrder { changedOutside.formUnion(changed) }
        hasNews = true
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
            for await _ in wakes {
                var now: FileTime
                repeat {
                    if hasNews { try await admitNew() }
                    // What comes due from here on is awaited, and not treated as begun.
                    now = vault.clock()
                    while let record = next(now) {
                        running.begin(record)
                        free.remove(record.number)
                        group.addTask { await self.attempt(record.number, record.id) }
                    }
                } while hasNews
                if hasLeftovers, status.allowsOperations {
                    hasLeftovers = false
                    group.addTask { await self.discardLeftovers() }
                }
                if deadline == nil, let pause = nextProbe() { group.addTask { await self.probe(after: pause) } }
                if let time = nextAlarm(after: now) { group.addTask { await self.ring(at: time) } }
                guard running.isEmpty else { continue }
                let next = status.allowsOperations ? free.firstTime(after: now) : nil
                resumeSettlers(before: next)
                if let deadline, next.map({ deadline < $0 }) ?? true { break }
            }
            group.cancelAll()
        }
    }

    private func rest() {
        waker = nil
        (isWorking, isInOrder) = (false, false)
        (lanes, records, free, running, lastAdmitted, alarm) =
            (Lanes(), [:], FreeRecords(), RunningRecords(), 0, nil)
        (probes, isProbing, changedOutside, overtaken) = (0, false, [], [])
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
        hasNews = false
        // Those that are in progress have to end first.
        let (last, changed) = (lastAdmitted, changedOutside.filter { !running.contains($0) })
        changedOutside.subtract(changed)
        overtaken = []
        let (new, others) = try await vault.database.read { reader in
            (try reader.standings(after: last, atMost: Self.admission), try reader.standings(of: changed))
        }
        // Which of two was read later is unknown: what has been updated in the meantime is read again.
        let outdated = overtaken
        takeOver(others.filter { !outdated.contains($0.key) })
        admit(new)
        changedOutside.formUnion(outdated.intersection(changed.union(new.map(\.record.number))))
        if changedOutside.contains(where: { !running.contains($0) }) { hasNews = true }
    }

    /// Puts the next records in order.
    private func admit(_ new: [SyncRecord.Standing]) {
        for (record, touch) in new where record.number > lastAdmitted {
            lastAdmitted = record.number
            records[record.number] = record
            if lanes.add(record.number, touching: touch) { free.insert(record) }
        }
        if new.count == Self.admission { hasNews = true }
    }

    /// Updates the states of records, none of which is in progress any more; those that are gone let others pass.
    ///
    /// - Parameter reordered: those among them that touch something else although they are the same.
    func takeOver(_ standings: [Int64: SyncRecord.Standing?], reordered: Set<Int64> = []) {
        overtaken.formUnion(standings.keys)
        let stopped = Set(standings.keys.filter { $0 <= lastAdmitted && stop($0) })
        for (number, standing) in standings where number <= lastAdmitted {
            let old = records[number]
            records[number] = standing?.record
            let wasRunning = stopped.contains(number)
            guard let (record, touch) = standing else {
                leave(number)
                continue
            }
            if let old, old.itemID != record.itemID || old.action != record.action || reordered.contains(number) {
                // An answer has given it another item or name, or another item to copy.
                let order = lanes.change(number, touching: touch) { running.contains($0) }
                for other in order.held { free.remove(other) }
                for other in order.free { if let record = records[other] { free.insert(record) } }
            } else if wasRunning {
                free.insert(record)
            } else {
                free.update(record)
            }
        }
    }

    /// Records that nothing is done for a record any more, so that it may begin again.
    func end(_ number: Int64) {
        guard stop(number), let record = records[number] else { return }
        free.insert(record)
    }

    /// Records that a record is no longer in progress; returns whether it was.
    private func stop(_ number: Int64) -> Bool {
        guard running.remove(number) else { return false }
        // What a command has changed in it in the meantime still has to be applied.
        if changedOutside.contains(number) { hasNews = true }
        return true
    }

    /// Removes a record from the order, and lets those after it pass.
    private func leave(_ number: Int64) {
        free.remove(number)
        for follower in lanes.remove(number) { if let record = records[follower] { free.insert(record) } }
    }

    /// Returns the next record that may begin, in the order of the commands.
    private func next(_ now: FileTime) -> SyncRecord? {
        guard status.allowsOperations else { return nil }
        let number = free.first(of: running.sharesToBegin(within: budget)) { number in
            records[number]?.waits.allSatisfy { isMet($0, now) } ?? false
        }
        return number.flatMap { records[$0] }
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
        while let next = queue.popFirst(where: { running.hasRoom(for: $0, within: budget) }) {
            running.advance(next.record.number, to: .performing(nil, attempt: next.record.attempt))
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
        guard let first = free.firstTime(after: now), first != alarm else { return nil }
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
