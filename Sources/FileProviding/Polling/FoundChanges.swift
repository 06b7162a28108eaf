/// What one look found, before it is told.
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

    /// The directories met since the last call that must be listed: new ones, and along tags those with another tag.
    mutating func takeDirectories(alongTags: Bool) -> [ItemPath] {
        defer { directories = [] }
        return directories.filter { $0.isNew || (alongTags && $0.hasNewTag) }.map(\.path)
    }

    /// The changes in the order in which they were found, so that a directory comes before what is in it.
    ///
    /// A file that went and a file that came are one that moved if they share identifier and version; an identifier alone
    /// proves nothing where file systems use their numbers again. One whose place something else has taken went and came: in
    /// whatever order the two are told, a follower would move the wrong one.
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
    /// Whether both are known to be one version: some storages give a renamed file another tag, but keep its time.
    fileprivate func isCertainly(_ other: FileVersion) -> Bool {
        if let etag, let theirs = other.etag, etag.opaque == theirs.opaque { return true }
        return size != nil && modificationTime != nil && size == other.size
            && modificationTime == other.modificationTime
    }
}
