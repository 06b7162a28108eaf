import FileProviding
import Foundation
import Logging

/// Brings the commands in a vault to the server: each in its turn, several side by side.
///
/// Only while somebody wants it: ``run()``, ``settle(waiting:)``, or ``work(during:)`` for whoever awaits a command. What was
/// under way when a program ended is ready again at the next start; whether it had been done, the attempt finds out.
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
    /// What the last trouble with the way to the server was about.
    var notedSubject: Issue.Subject?
    /// How often the server was asked in vain whether it is there again.
    var probes = 0
    var isProbing = false
    var lanes = Lanes()
    /// The records that are in order, whatever they wait for.
    var records: [Int64: SyncRecord] = [:]
    /// Those of them that have no other before them and are not under way.
    var free = FreeRecords()
    /// Those of them that are under way.
    var running = RunningRecords()
    private var queue = AttemptQueue()
    var cancelled: Set<EventID> = []
    /// Whether there may be events that could not be acted on when they came.
    var hasQueuedEvents = false
    /// Whether uploads that were given up may have left something at the server.
    var hasLeftovers = false
    /// Changes of records that wait for the transaction under way to end.
    var changes: [WaitingChange] = []
    /// Those of them that the connection waits for.
    var urgentChanges: [WaitingChange] = []
    var isChanging = false
    /// Whether the records here are those of the vault: from when it begins to work until it rests.
    private(set) var isInOrder = false
    private(set) var lastAdmitted: Int64 = 0
    /// Whether there may be records that are not in order yet.
    private var hasNews = false
    /// Records that commands have changed, which are not as they are here.
    private var changedOutside: Set<Int64> = []
    /// Records that have been taken over since the last look at those that are to be put in order.
    private var overtaken: Set<Int64> = []
    /// How many records are put in order at a time, so that the first ones begin before the last ones are read.
    private static let admission = 128
    private var isWorking = false
    private var waker: AsyncStream<Void>.Continuation?
    private var settlers: [Settler] = []
    private var alarm: FileTime?
    /// Those who want the engine to work until they end, and the one work for all of them.
    private var employers: [UUID: AsyncThrowingStream<Void, any Error>.Continuation] = [:]
    private var worker: Task<Void, Never>?
    /// The worker, where it waits for the end of somebody else's work.
    private var successor: CheckedContinuation<Void, Never>?

    /// Somebody who waits until nothing goes on by itself before a deadline.
    private struct Settler {
        let deadline: FileTime
        /// With whether it is so; else the work has ended before.
        let goOn: CheckedContinuation<Bool, Never>
    }

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

    /// How the way to the server stands.
    nonisolated var status: ConnectionStatus { statusBoard.status }

    /// Says that there may be new records, and which others a command has taken away or lets go on.
    func wake(changed: Set<Int64> = []) {
        if isInOrder { changedOutside.formUnion(changed) }
        hasNews = true
        goOn()
    }

    /// Says that a record may go on.
    func goOn() {
        giveRoom()
        waker?.yield()
    }

    // MARK: Working

    /// Works until the task is cancelled.
    ///
    /// Several callers share one work, which ends with the last of them: what one has begun is not cut off by another's end.
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

    /// Works for as long as `wait` waits for something that comes of it.
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

    /// Waits until the work under way has ended, or nobody wants the worker any more.
    private func untilRest() async {
        await withCheckedContinuation { successor = $0 }
    }

    private func callSuccessor() {
        successor?.resume()
        successor = nil
    }

    /// Works until nothing can go on: everything is done, or waits for something else than another command and a moment within
    /// `patience`.
    func settle(waiting patience: Duration = .zero) async throws {
        let seconds = min(patience, .seconds(Self.longestPause)).components.seconds
        let deadline = vault.clock().later(bySeconds: seconds)
        repeat {
            guard isWorking else { return try await work(until: deadline) }
            goOn()
        } while await !untilSettled(deadline)
    }

    /// - Returns: whether it is so; else the work has ended before.
    private func untilSettled(_ deadline: FileTime) async -> Bool {
        await withCheckedContinuation { settlers.append(Settler(deadline: deadline, goOn: $0)) }
    }

    /// Works for good, or until nothing goes on by itself before a deadline.
    private func work(until deadline: FileTime? = nil) async throws {
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
                    // What comes due from here on is awaited, not taken for begun.
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
        let all = settlers
        settlers = []
        for settler in all { settler.goOn.resume(returning: false) }
        callSuccessor()
    }

    /// Tells all whose patience ends before something goes on by itself again.
    private func resumeSettlers(before next: FileTime?) {
        let all = settlers
        settlers = all.filter { settler in next.map { $0 <= settler.deadline } ?? false }
        for settler in all where next.map({ settler.deadline < $0 }) ?? true { settler.goOn.resume(returning: true) }
    }

    /// Acts on events of earlier runs of the program, and makes what was under way ready again.
    private func recover() async throws {
        try await applyEvents()
        try await vault.database.write { try $0.healRecords() }
        hasLeftovers = true
        if !status.allowsOperations, !status.waitsForPerson { statusBoard.forget() }
    }

    // MARK: Order

    /// Puts new records in order, some of them where there are many, and takes over what commands have done with others.
    private func admitNew() async throws {
        hasNews = false
        // Those that are under way have to end first.
        let (last, changed) = (lastAdmitted, changedOutside.filter { !running.contains($0) })
        changedOutside.subtract(changed)
        overtaken = []
        let (new, others) = try await vault.database.read { reader in
            (try reader.standings(after: last, atMost: Self.admission), try reader.standings(of: changed))
        }
        // Which of two was read later, nobody knows: what has been taken over meanwhile is read again.
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

    /// Takes over how records stand, none of which is under way any more; those that are gone let others pass.
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
                // An answer has given it another item or name, or another one to copy.
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

    /// Notes that nothing is done for a record any more, which may begin again.
    func end(_ number: Int64) {
        guard stop(number), let record = records[number] else { return }
        free.insert(record)
    }

    /// Notes that a record is not under way any more; whether it was.
    private func stop(_ number: Int64) -> Bool {
        guard running.remove(number) else { return false }
        // What a command has changed of it meanwhile is still to be taken over.
        if changedOutside.contains(number) { hasNews = true }
        return true
    }

    /// Takes a record out of the order, and lets those behind it pass.
    private func leave(_ number: Int64) {
        free.remove(number)
        for follower in lanes.remove(number) { if let record = records[follower] { free.insert(record) } }
    }

    /// The next record that may begin, in the order of the commands.
    private func next(_ now: FileTime) -> SyncRecord? {
        guard status.allowsOperations else { return nil }
        let number = free.first(of: running.sharesToBegin(within: budget)) { number in
            records[number]?.waits.allSatisfy { isMet($0, now) } ?? false
        }
        return number.flatMap { records[$0] }
    }

    /// Waits until the connection may be asked to do what a record is about.
    ///
    /// - Returns: `false` when the command has been cancelled meanwhile.
    func room(for record: SyncRecord) async -> Bool {
        guard !cancelled.contains(record.id) else { return false }
        return await withCheckedContinuation { go in
            queue.insert(record, go)
            giveRoom()
        }
    }

    /// Has an attempt that waits for room wait no more, where one does.
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

    /// The longest time that a record waits; what is later comes from a clock that has jumped back.
    private static let longestPause: Int64 = 600

    /// When something may go on by itself; `nil` when that is awaited already, or never. What could go on by now waits for
    /// something else: the server, or its turn.
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
