import FileProviding
import Foundation

/// What a transfer needs to know after a crash: what is finished, and what is being copied.
///
/// Without a file it still serves the run itself, which continues an interrupted file where it was.
final class TransferJournal: Sendable {
    private struct Entry {
        var part: JournalPart
        var slot: JournalFile.Slot?
    }

    private struct State {
        var file: JournalFile?
        var parts: [ItemPath: Entry] = [:]
        var directories: [MadeDirectory] = []
        var isRetained = false
    }

    /// The identifier of this machine's boot, if it has one.
    let boot: String?
    private let identity: JobIdentity
    private let journals: TransferJournals?
    private let history: JournalHistory
    private let state: Locked<State>
    private typealias Kind = JournalHistory.Kind

    /// Opens the journal that an earlier run left; otherwise one is created with the first file.
    ///
    /// - Parameter isDryRun: whether the journal only tells what has been done, and is neither held nor changed.
    init(_ identity: JobIdentity, in journals: TransferJournals?, isDryRun: Bool = false) throws {
        self.journals = isDryRun ? nil : journals
        boot = MachineBoot.identifier
        var state = State()
        if isDryRun {
            history = JournalHistory(try journals?.lines(of: identity.name) ?? [])
        } else if let file = try journals?.existing(identity.name) {
            history = JournalHistory(try file.lines())
            for (part, slot) in history.parts { state.parts[part.target] = Entry(part: part, slot: slot) }
            state.directories = history.directories
            if history.hasHeader { state.file = file } else { try file.remove() }
        } else {
            history = JournalHistory()
        }
        isContinued = state.file != nil
        var identity = identity
        identity.number = history.hasHeader ? history.number : .random(in: 0 ... .max)
        self.identity = identity
        self.state = Locked(state)
    }

    /// Whether an earlier run has begun this transfer.
    let isContinued: Bool

    /// Whether there is a file, so that another run could continue.
    var isDurable: Bool { journals != nil }

    /// Creates the file, before anything is copied; does nothing if that was done already.
    func begin() throws {
        guard let journals else { return }
        try state.withLock { state in
            guard state.file == nil else { return }
            let file = try journals.create(identity)
            do {
                for directory in state.directories { try file.append(Kind.made, JSONEncoder().encode(directory)) }
            } catch {
                try? file.remove()
                throw error
            }
            state.file = file
        }
    }

    /// The files that were being copied.
    var parts: [JournalPart] { state.withLock { $0.parts.values.map(\.part) } }

    /// Returns the temporary names for a file of this transfer, starting after those already used. No name is handed
    /// out before it is recorded.
    func series(for target: ItemPath) -> TemporaryName.Series {
        let noted = state.withLock { $0.parts[target]?.part.names ?? 0 }
        return TemporaryName.Series(key: { [identity] in identity.key(of: target) }, used: noted) { [weak self] count in
            // If this cannot be written now, it cannot be written when the file is finished either, and is an error
            // then.
            try? self?.note(names: count, of: target)
        }
    }

    private func note(names count: Int, of target: ItemPath) throws {
        var part = part(for: target) ?? JournalPart(target: target, version: FileVersion())
        guard part.names < count else { return }
        part.names = count
        try save(part)
    }

    func part(for target: ItemPath) -> JournalPart? {
        state.withLock { $0.parts[target]?.part }
    }

    /// Returns the earlier run's record of having copied this version of the source to the target; `nil` if there is
    /// none.
    func finished(_ target: ItemPath, _ version: FileVersion) -> FinishedFile? {
        let finished = history.finished
        guard !finished.isEmpty else { return nil }
        let key = identity.key(of: target, version)
        return finished[finished.partitioningIndex { $0.key >= key }...].first { $0.key == key }
    }

    /// Records a file being copied.
    ///
    /// - Parameter durably: whether to flush the record to the medium before continuing.
    func save(_ part: JournalPart, durably: Bool = false) throws {
        let (file, old) = state.withLock { ($0.file, $0.parts[part.target]?.slot) }
        guard let file else { return state.withLock { $0.parts[part.target] = Entry(part: part) } }
        let slot =
            part.isJustBegun
            ? try file.put(Kind.begun, part.shortText, in: old)
            : try file.put(Kind.part, JSONEncoder().encode(part), in: old)
        state.withLock { $0.parts[part.target] = Entry(part: part, slot: slot) }
        if durably { try file.flush() }
    }

    /// Records that a file is no longer in progress. `version` is the source's version if the copy is finished; `nil`
    /// if it was given up, or if comparing both ends shows that it is finished.
    ///
    /// - Parameters:
    ///   - copy: what the destination reported about the finished copy.
    ///   - duration: how long writing it took.
    func settle(
        _ target: ItemPath, finished version: FileVersion?, as copy: FileObject? = nil,
        writtenIn duration: Duration = .zero
    ) throws {
        let (entry, file) = state.withLock { ($0.parts.removeValue(forKey: target), $0.file) }
        guard let file else { return }
        if let version {
            let key = identity.key(of: target, version)
            try file.append(Kind.done, FinishedFile(key: key, copy, writtenIn: duration).text)
        }
        if let slot = entry?.slot { try file.clear(slot) }
    }

    /// The directories created by this run and earlier ones, each before those in it.
    var directories: [MadeDirectory] { state.withLock { $0.directories } }

    /// Records a directory that is about to be created, so that a crash in between cannot leave one without its
    /// attributes.
    func note(_ directory: MadeDirectory) throws {
        let file = state.withLock { state in
            state.directories.append(directory)
            return state.file
        }
        try file?.append(Kind.made, JSONEncoder().encode(directory))
    }

    /// Records that a directory could not be created: what is there now, if anything, is not this transfer's.
    func withdraw(_ directory: MadeDirectory) throws {
        let file = state.withLock { state in
            state.directories.removeLast(at: directory.target)
            return state.file
        }
        try file?.append(Kind.unmade, JSONEncoder().encode(directory.target))
    }

    /// Records that there is something now where nothing was, for another run of a mirror that removes items.
    func note(new target: ItemPath) throws {
        let key = String(identity.key(of: target.asItem), radix: 36)
        try state.withLock { $0.file }?.append(Kind.new, Data(key.utf8))
    }

    /// Returns whether an earlier run has put something where nothing was.
    func hasMade(_ target: ItemPath) -> Bool {
        !history.new.isEmpty && history.new.contains(identity.key(of: target.asItem))
    }

    /// Whether an earlier run has put anything where nothing was.
    var hasMadeAny: Bool { !history.new.isEmpty }

    /// Has the journal kept although the run has come to its end: another one has to know what this one has put there.
    func retain() { state.withLock { $0.isRetained = true } }

    /// Ends the run: the file is deleted, unless the transfer can be continued. What a late task of this run still
    /// records about its file is not written any more, since the next run may have begun.
    func close(keeping isKept: Bool) throws {
        let (file, isRetained) = state.withLock { ($0.file.take(), $0.isRetained) }
        guard let file else { return }
        defer { file.release() }
        if isKept || isRetained { try file.flush() } else { try file.remove() }
    }
}
