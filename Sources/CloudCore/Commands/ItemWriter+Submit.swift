import FileProviding

/// What a command changes in the vault at once, together with the record that brings it to the server.
extension ItemWriter {
    /// What has become of a command.
    struct Submission: Sendable {
        /// The identifier under which it goes on: that of an earlier command that does it too, where there is one.
        var id: EventID
        /// The item that it is about.
        var item: LocalID
        /// Whether there is nothing for the server to do.
        var isDone = false
        /// Commands that it makes pointless, which have never begun.
        var withdrawn: [EventID] = []
        /// Copies that nobody needs any more.
        var released: [LocalCopy] = []
    }

    /// Makes a directory.
    func createFolder(_ name: ItemName, in parent: LocalID, id: EventID) throws -> Submission {
        try requireFree(name, in: parent)
        let item = try insert(name, in: parent, ServerVersion(type: .directory), childrenCount: 0, isOnServer: false)
        try setListed(item)
        try addRecord(id, of: item, .createFolder(Place(name, in: parent)))
        return Submission(id: id, item: item)
    }

    /// Makes a file of new contents.
    func upload(_ contents: NewContents, as name: ItemName, in parent: LocalID, id: EventID) throws -> Submission {
        try requireFree(name, in: parent)
        let item = try insert(name, in: parent, ServerVersion(type: .regular), isOnServer: false)
        try setModified(item, contents.copy, size: contents.size, modificationTime: contents.modificationTime)
        try addRecord(id, of: item, .upload(contents.copy, to: Place(name, in: parent)), total: contents.size)
        return Submission(id: id, item: item)
    }

    /// Gives a file other contents. Together with an upload that has not begun it is one upload.
    func modify(_ item: LocalID, _ contents: NewContents, id: EventID) throws -> Submission {
        let file = try known(item)
        guard file.type == .regular else { throw FileError.isADirectory(file.path, writing: true) }
        let old = try reader.copy(of: item)
        try setModified(item, contents.copy, size: contents.size, modificationTime: contents.modificationTime)
        let records = try reader.records(of: item)
        if let last = records.last, last.isUntouched, case .upload(let copy, let place) = last.action {
            var record = last
            record.action = .upload(contents.copy, to: place)
            record.total = contents.size
            record.waits.removeAll { $0 != .answer }
            try update(record)
            return Submission(id: record.id, item: item, released: [copy])
        }
        // Where the file is to be made by an earlier command, that says where.
        try addRecord(id, of: item, .upload(contents.copy, to: nil), total: contents.size)
        let isInUse = records.contains { $0.action.copy != nil && $0.action.copy == old }
        return Submission(id: id, item: item, released: old.map { isInUse ? [] : [$0] } ?? [])
    }

    /// Fetches a file's contents; those of a file with unsent changes are here.
    func download(_ item: LocalID, id: EventID) throws -> Submission {
        let file = try known(item)
        guard file.type == .regular else { throw FileError.isADirectory(file.path) }
        let pending = try reader.records(of: item).last { $0.kind == .download }
        if let pending { return Submission(id: pending.id, item: item) }
        let copied = try reader.copyVersion(of: item)
        let isCurrent = file.cloudStatus == .localCopy && copied?.isSameVersion(as: file.version) ?? false
        if isCurrent || file.cloudStatus == .locallyModified || file.cloudStatus == .localOnly {
            return Submission(id: id, item: item, isDone: true)
        }
        try addRecord(id, of: item, .download, total: file.size)
        return Submission(id: id, item: item)
    }

    /// Gives an item another place. A file that has not begun to be sent is sent there in the first place.
    func move(_ item: LocalID, to parent: LocalID, as name: ItemName, id: EventID) throws -> Submission {
        let moved = try known(item)
        guard let old = moved.place else { throw refused(moved, "the root has no place") }
        let new = Place(name, in: parent)
        if old == new { return Submission(id: id, item: item, isDone: true) }
        try requireFree(name, in: parent)
        guard try !isInside(parent, moved) else { throw FileError.intoItself(moved.path) }
        try keepServerPlace(of: item)
        try move(item, to: name, in: parent)
        let records = try reader.records(of: item)
        if records.count == 1, let first = records.first, first.isUntouched, [[], [.answer]].contains(first.waits),
            case .upload(let copy, .some) = first.action
        {
            // Behind what makes the new directory, if that is not there yet. A conflict about the old name is over.
            try settleIssues(of: item)
            try removeRecord(first.number)
            try addRecord(first.id, of: item, .upload(copy, to: new), total: first.total)
            return Submission(id: first.id, item: item)
        }
        try addRecord(id, of: item, .move(from: old, to: new))
        return Submission(id: id, item: item)
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

    /// Removes an item with everything below it, also what the server has elsewhere yet. What never began to be sent of it, is
    /// not; an edit of the item itself comes back with it, should the server refuse to remove it.
    func delete(_ item: LocalID, id: EventID) throws -> Submission {
        let removed = try known(item)
        guard let place = removed.place else { throw refused(removed, "the root cannot be removed") }
        try keepServerPlace(of: item)
        var submission = Submission(id: id, item: item)
        var edit: LocalCopy?
        var strays: Set<LocalID> = []
        for below in try remove(item) {
            try settleIssues(of: below)
            for record in try reader.records(of: below).reversed()
            where record.isUntouched || record.waits.contains(.answer) {
                // What follows an attempt that may have succeeded stays behind it.
                try removeRecord(record.number)
                submission.withdrawn.append(record.id)
                if record.kind == .move, below != item { strays.insert(below) }
                guard let copy = record.action.copy else { continue }
                if try reader.copy(of: below) != copy {
                    submission.released.append(copy)
                } else if below == item {
                    edit = copy
                } else {
                    try release(copy, of: below, &submission)
                }
            }
        }
        let isOnServer = try reader.serverPlace(of: item) != nil
        let hasBegun = try !reader.records(of: item).isEmpty
        if isOnServer || hasBegun {
            try addRecord(id, of: item, .delete(from: place))
        } else {
            submission.isDone = true
            if let edit { try release(edit, of: item, &submission) }
        }
        for stray in strays.sorted(by: { $0.rawValue < $1.rawValue }) { try deleteStray(stray, removedWith: item) }
        return submission
    }

    /// Removes what was in a directory here only, in a command right behind that for the directory.
    private func deleteStray(_ id: LocalID, removedWith directory: LocalID) throws {
        guard let place = try reader.serverPlace(of: id) ?? reader.records(of: id).last?.places.last,
            try !reader.isInServer(place.parentID, within: directory)
        else { return }
        try addRecord(EventID(), of: id, .delete(from: place))
    }

    private func release(_ copy: LocalCopy, of item: LocalID, _ submission: inout Submission) throws {
        try setCopy(of: item, nil, version: nil)
        submission.released.append(copy)
    }

    // MARK: Conditions

    private func known(_ id: LocalID) throws -> Item {
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

    private func refused(_ item: Item, _ reason: String) -> any Error {
        cocoaError(item.path, code: .fileWriteNoPermission, reason: reason)
    }
}
