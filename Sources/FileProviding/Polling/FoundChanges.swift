/// What one poll found, before it is reported.
struct FoundChanges {
    private enum Finding {
        case created(FileObject)
        case modified(ItemPath)
        case removed(FileObject)
    }

    private var findings: [Finding] = []
    private var directories: [(path: ItemPath, isNew: Bool, hasNewTag: Bool)] = []

    mutating func created(_ file: FileObject) { findings.append(.created(file)) }
    mutating func modified(_ file: FileObject) { findings.append(.modified(file.path)) }
    mutating func removed(_ file: FileObject) { findings.append(.removed(file)) }

    mutating func metDirectory(_ directory: FileObject, isNew: Bool, hasNewTag: Bool) {
        directories.append((directory.path.asDirectory, isNew, hasNewTag || directory.etag == nil))
    }

    /// Returns the directories found since the last call that must be listed: new ones and, when following tags, those
    /// whose tag changed.
    mutating func takeDirectories(alongTags: Bool) -> [ItemPath] {
        defer { directories = [] }
        return directories.filter { $0.isNew || (alongTags && $0.hasNewTag) }.map(\.path)
    }

    /// Returns the changes in the order in which they were found, so that a directory comes before what is in it.
    ///
    /// A file that disappeared and a file that appeared count as one move if they share identifier and version; an
    /// identifier alone proves nothing where file systems reuse their numbers. If something else has taken the old
    /// path, they count as a removal and a creation: in whatever order a move and a creation were reported, whoever
    /// applies them would move the wrong file.
    func changes() -> [FileChange] {
        var taken: Set<ItemPath> = []
        for case .created(let file) in findings { taken.insert(file.path) }
        var gone: [String: FileObject] = [:]
        for case .removed(let file) in findings where file.isRegularFile && !taken.contains(file.path) {
            file.fileID.map { gone[$0] = file }
        }
        var moves: [ItemPath: ItemPath] = [:]
        for case .created(let file) in findings where file.isRegularFile {
            guard let id = file.fileID, let former = gone[id], former.version.isCertainly(file.version) else {
                continue
            }
            moves[file.path] = former.path
            gone[id] = nil
        }
        let movedAway = Set(moves.values)
        return findings.compactMap { finding in
            switch finding {
            case .created(let file):
                moves[file.path].map { .moved(from: $0, to: file.path) } ?? .created(file.path)
            case .modified(let path): .modified(path)
            case .removed(let file): movedAway.contains(file.path) ? nil : .removed(file.path)
            }
        }
    }
}

extension FileVersion {
    /// Returns whether both are known to be the same version: some storages give a renamed file another tag, but keep
    /// its time.
    fileprivate func isCertainly(_ other: FileVersion) -> Bool {
        if let etag, let theirs = other.etag, etag.opaque == theirs.opaque { return true }
        return size != nil && modificationTime != nil && size == other.size
            && modificationTime == other.modificationTime
    }
}
