import Dispatch
import FileProviding

extension MonitorCases {
    /// Watches, runs `body`, and checks that all of the changes are reported; returns everything that was reported.
    @discardableResult
    static func expectTold<Result>(
        _ trial: ContractTrial, in directory: ItemPath? = nil, isRecursive: Bool = true, _ expected: [FileChange],
        line: UInt = #line, by body: () async throws -> Result
    ) async throws -> [FileChange] {
        let monitor = try trial.provider(as: (any FileProviderMonitor).self)
        let changes = try await monitor.changes(path: directory ?? trial.directory, recursive: isRecursive)
        _ = try await body()
        let tally = Locked(ChangeTally(expected, isExact: trial.expectations.monitorReportsEachChange))
        return try await collect(changes, "\(expected.count) changes", in: trial, line: line) { change in
            tally.withLock { tally in
                tally.add(change)
                return tally.isComplete
            }
        }
    }

    /// Collects changes until one of them `isLast`.
    static func collect(
        _ changes: FileChanges, _ what: String, in trial: ContractTrial, line: UInt = #line,
        until isLast: @escaping @Sendable (FileChange) -> Bool
    ) async throws -> [FileChange] {
        let told = Locked<[FileChange]>([])
        let isComplete = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for try await change in changes {
                    told.withLock { $0.append(change) }
                    if isLast(change) { return true }
                }
                return false
            }
            group.addTask {
                try await Task.sleep(for: trial.expectations.monitorPatience)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        let seen = told.withLock { $0 }
        try expect(isComplete, "waited for \(what), told only \(seen.count): \(seen.prefix(20))", line: line)
        return seen
    }
}

/// Tracks which of the expected changes have been reported, exactly or in an equivalent form.
struct ChangeTally {
    private var missing: [Int: FileChange]
    private var byPath: [ItemPath: [Int]] = [:]
    private var told: Set<FileChange> = []
    private var mentioned: Set<ItemPath> = []
    private let isExact: Bool

    /// - Parameter isExact: whether each change must be reported; otherwise it is enough that its paths are mentioned.
    init(_ expected: [FileChange], isExact: Bool) {
        self.isExact = isExact
        missing = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($0.offset, $0.element) })
        for (index, change) in expected.enumerated() {
            for path in change.paths { byPath[path, default: []].append(index) }
        }
    }

    var isComplete: Bool { missing.isEmpty }

    mutating func add(_ change: FileChange) {
        told.insert(change)
        mentioned.formUnion(change.paths)
        if case .rescan(let directory) = change {
            missing = missing.filter { !$0.value.paths.allSatisfy { $0.isInside(directory) } }
        }
        for index in change.paths.flatMap({ byPath[$0] ?? [] }) {
            if let expected = missing[index], isTold(expected, latest: change) { missing[index] = nil }
        }
    }

    /// Returns whether a change has been reported. A move may be reported in two parts, and a file that is replaced may
    /// be reported as new or as moved into place.
    private func isTold(_ expected: FileChange, latest: FileChange) -> Bool {
        if told.contains(expected) || (!isExact && mentioned.isSuperset(of: expected.paths)) { return true }
        switch (expected, latest) {
        case (.created(let path), .modified(let other)), (.created(let path), .moved(_, let other)),
            (.modified(let path), .created(let other)), (.modified(let path), .moved(_, let other)):
            return path == other
        case (.moved(let source, let destination), _):
            return told.contains(.removed(source)) && told.contains(.created(destination))
        default: return false
        }
    }
}

extension FileChange {
    /// The paths that the change names.
    var paths: [ItemPath] {
        switch self {
        case .created(let path), .modified(let path), .removed(let path), .rescan(let path): [path]
        case .moved(let source, let destination): [source, destination]
        }
    }

    var isRescan: Bool { if case .rescan = self { true } else { false } }

    /// Returns whether a client that reacts to this change looks at `path`.
    func covers(_ path: ItemPath) -> Bool { isRescan ? path.isInside(paths[0]) : paths.contains(path) }
}

/// Waits until everything that is now on the queue has run.
func flush(_ queue: DispatchQueue) async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
}
