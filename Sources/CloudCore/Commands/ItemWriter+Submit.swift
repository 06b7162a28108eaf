import FileProviding

/// The immediate changes of commands in the vault, together with the records that send them to the server.
extension ItemWriter {
    /// The result of submitting a command.
    struct Submission: Sendable {
        /// The identifier under which it continues: that of an earlier command that includes it, if there is one.
        var id: EventID
        /// The item that the command is about.
        var item: LocalID
        /// Whether there is nothing for the server to do.
        var isDone = false
        /// Commands that it makes pointless, and that have never begun.
        var withdrawn: [EventID] = []
        /// Copies that are no longer needed.
        var released: [LocalCopy] = []
        /// The numbers of earlier records that it has removed, or that no longer wait.
        var changed: Set<Int64> = []
    }

    /// Creates a directory.
    func createFolder(_ name: ItemName, in parent: LocalID, id: EventID) throws -> Submission {
        try requireFree(name, in: parent)
        let item = try insert(name, in: parent, ServerVersion(type: .directory), childrenCount: 0, isOnServer: false)
        try setListed(item)
        try addRecord(id, of: item, .createFolder(Place(name, in: parent)))
        return Submission(id: id, item: item)
    }

    /// Creates a file with new contents.
    func upload(_ contents: NewContents, as name: ItemName, in parent: LocalID, id: EventID) throws -> Submission {
        try requireFree(name, in: parent)
        let item = try insert(name, in: parent, ServerVersion(type: .regular), isOnServer: false)
        try setModified(item, contents.copy, size: contents.size, modificationTime: contents.modificationTime)
        try addRecord(id, of: item, .upload(contents.copy, to: Place(name, in: parent)), total: contents.size)
        return Submission(id: id, item: item)
    }

    /// Replaces a file's contents. Together with an upload that has not begun it is one upload.
    func modify(_ item: LocalID, _ contents: NewContents, id: EventID) throws -> Submission {
        let file = try known(item)
        try requireContents(file, writing: true)
        let old = try reader.copy(of: item)
        try setModified(item, contents.copy, size: contents.size, modificationTime: contents.modificationTime)
        let records = try reader.records(of: item)
        if let last = records.last, last.isUntouched, case .upload(let copy, let place) = last.action,
            try !reader.isToBeCopied(item, after: last.number)
        {
            var record = last
            record.action = .upload(contents.copy, to: place)
            (record.completed, record.total) = (0, contents.size)
            record.waits.removeAll { $0 != .answer }
            try update(record)
            let released = try letGo([copy], of: item, .write)
            return Submission(id: record.id, item: item, released: released, changed: [record.number])
        }
        // If an earlier command is to create the file, that command determines the place.
        try addRecord(id, of: item, .upload(contents.copy, to: nil), total: contents.size)
        let unused = [old].compactMap { $0 }.filter { old in !records.contains { $0.action.copy == old } }
        return Submission(id: id, item: item, released: try letGo(unused, of: item, .write))
    }

    /// Throws for an item that is no file.
    private func requireContents(_ item: Item, writing: Bool = false) throws {
        switch item.type {
        case .regular: break
        case .directory: throw FileError.isADirectory(item.path, writing: writing)
        case .symbolicLink: throw FileError.unsupported(item.path, "a vault keeps no contents of links")
        case .unknown: throw FileError.specialFile(item.path)
        }
    }

    /// Fetches a file's contents; those of a file with unsent changes are local already.
    func download(_ item: LocalID, for trigger: DownloadTrigger, id: EventID) throws -> Submission {
        let file = try known(item)
        try requireContents(file)
        let pending = try reader.records(of: item).last { $0.kind == .download }
        // What somebody has requested explicitly is not turned into a policy's download.
        let cause = file.downloadTrigger == .asked ? .asked : trigger
        if cause != file.downloadTrigger, pending != nil || file.cloudStatus == .localCopy && trigger == .asked {
            try setDownloading(item, pending != nil, for: cause)
        }
        if let pending { return Submission(id: pending.id, item: item) }
        if try reader.isCopyCurrent(file) { return Submission(id: id, item: item, isDone: true) }
        try addRecord(id, of: item, .download, total: file.size)
        try setDownloading(item, true, for: cause)
        return Submission(id: id, item: item)
    }

    /// Moves an item. A file that has not begun to be sent is sent to the new place in the first place.
    func move(_ item: LocalID, to parent: LocalID, as name: ItemName, id: EventID) throws -> Submission {
        let moved = try known(item)
        guard let old = moved.place else { throw refused(moved, "the root has no place") }
        let new = Place(name, in: parent)
        if old == new { return Submission(id: id, item: item, isDone: true) }
        try requireFree(name, in: parent)
        guard try !isInside(parent, moved) else { throw FileError.intoItself(moved.path) }
        let upload = try onlyUpload(of: item)
        try keepServerPlace(of: item)
        try move(item, to: name, in: parent)
        if let upload {
            // This comes after the command that creates the new directory, if the directory does not exist yet. A
            // conflict about the old name is over.
            try settleIssues(of: item)
            try removeRecord(upload.record.number)
            try addRecord(
                upload.record.id, of: item, .upload(upload.copy, to: new), total: upload.record.total,
                continuing: upload.record)
            return Submission(id: upload.record.id, item: item, changed: [upload.record.number])
        }
        try addRecord(id, of: item, .move(from: old, to: new))
        return Submission(id: id, item: item)
    }

    /// Returns the command that creates a file, if it has not begun and no other command is about the file.
    private func onlyUpload(of item: LocalID) throws -> (record: SyncRecord, copy: LocalCopy)? {
        let records = try reader.records(of: item)
        guard records.count == 1, let record = records.first, record.isUntouched,
            [[], [.answer]].contains(record.waits), case .upload(let copy, .some) = record.action,
            try !reader.isToBeCopied(item, after: record.number)
        else { return nil }
        return (record, copy)
    }

    /// Copies an item; what is below a directory shows when the server has it.
    func copy(_ source: LocalID, to parent: LocalID, as name: ItemName, id: EventID) throws -> Submission {
        let original = try known(source)
        guard original.parentID != nil else { throw refused(original, "the root cannot be copied") }
        try requireFree(name, in: parent)
        guard try !isInside(parent, original) else { throw FileError.intoItself(original.path) }
        var version = original.version
        (version.fileID, version.etag) = (nil, nil)
        let item = try insert(name, in: parent, version, isOnServer: false)
        try addRecord(id, of: item, .copy(source, to: Place(name, in: parent)))
        return Submission(id: id, item: item)
    }

    // MARK: Conditions

    /// Returns an existing item, not a tombstone.
    func known(_ id: LocalID) throws -> Item {
        guard let item = try reader.item(id), !item.isRemoved else {
            throw FileError.noSuchFile("item \(id)", writing: true)
        }
        return item
    }

    private func requireFree(_ name: ItemName, in parent: LocalID) throws {
        let directory = try known(parent)
        guard directory.isDirectory else { throw FileError.notADirectory(directory.path) }
        if let occupant = try reader.item(named: name, in: parent) { throw FileError.exists(occupant.path) }
    }

    /// Returns the error for a command that is not possible for an item.
    func refused(_ item: Item, _ reason: String) -> any Error {
        cocoaError(item.path, code: .fileWriteNoPermission, reason: reason)
    }
}

extension ItemReader {
    /// Returns whether the copy of a file's contents is of the current known version, or of one that has not been sent
    /// yet.
    func isCopyCurrent(_ file: Item) throws -> Bool {
        switch file.cloudStatus {
        case .cloudOnly: false
        // What is being copied on the server has no contents here yet.
        case .locallyModified, .localOnly: try copy(of: file.localID) != nil
        case .localCopy:
            (try copyVersion(of: file.localID) ?? FileVersion()).isCurrent(beside: file.version)
        }
    }
}
