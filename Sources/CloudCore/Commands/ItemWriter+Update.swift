import FileProviding

/// Attributes that are changed here and not yet on the server.
extension ItemWriter {
    /// Gives an item other attributes. Together with an earlier such command that has not begun it is one.
    func update(_ id: LocalID, _ attributes: ItemAttributes, id event: EventID) throws -> Submission {
        let item = try known(id)
        if attributes == ItemAttributes() { return Submission(id: event, item: id, isDone: true) }
        let records = try reader.records(of: id)
        if let last = records.last, last.isUntouched, case .update(let earlier, let base, let before) = last.action {
            var record = last
            record.action = .update(earlier.overlaid(with: attributes), of: base, before: before)
            record.waits.removeAll { $0 != .answer }
            try update(record)
            try show(attributes, of: item)
            return Submission(id: record.id, item: id, changed: [record.number])
        }
        // Behind others it is about what they leave.
        let isFirst = records.isEmpty && item.cloudStatus != .localOnly && item.type == .regular
        let edited = item.cloudStatus == .locallyModified ? try reader.copyVersion(of: id) : nil
        let base = edited ?? item.version.contents
        try addRecord(event, of: id, .update(attributes, of: isFirst ? base : nil, before: item.modificationTime))
        try show(attributes, of: item)
        return Submission(id: event, item: id)
    }

    /// Shows an item as it was before its attributes were changed here.
    func takeBack(_ attributes: ItemAttributes, before: FileTime?, of item: Item) throws {
        guard let time = attributes.modificationTime, item.modificationTime == time else { return }
        try setModificationTime(of: item.localID, before)
    }

    /// Takes over that the server has given an item other attributes, which was `known`, or had this time `before`.
    func updated(_ id: LocalID, _ result: Event.Result, _ known: FileVersion?, before: FileTime?) throws {
        guard let item = try reader.item(id), let told = result.item else { return }
        if let contents = result.contents {
            var version = item.version.contents
            version.modificationTime = before
            try rebase(item, from: known ?? version, to: contents)
        }
        if let place = try reader.serverPlace(of: id) { try markSettled(place) }
        if item.isRemoved { return try takeOver(result.contents, ofRemoved: item) }
        guard item.isDirectory else { return try update(item, to: told) }
        // Only discovery knows what a directory's new tag is about.
        var version = item.version
        (version.modificationTime, version.isReadOnly) = (told.modificationTime, told.isReadOnly)
        if version != item.version { try update(item, to: version) }
    }

    /// What is shown of a version that the server tells: with the attributes that are yet to be sent. What is shown again if the
    /// first of them cannot be, is what the server tells.
    func shown(_ version: ServerVersion, of id: LocalID) throws -> ServerVersion {
        var version = version
        for var record in try reader.updates(of: id) {
            guard case .update(let attributes, let base, let before) = record.action,
                let time = attributes.modificationTime
            else { continue }
            if before != version.modificationTime {
                record.action = .update(attributes, of: base, before: version.modificationTime)
                try update(record)
            }
            version.modificationTime = time
        }
        return version
    }

    private func show(_ attributes: ItemAttributes, of item: Item) throws {
        guard let time = attributes.modificationTime, time != item.modificationTime else { return }
        try setModificationTime(of: item.localID, time)
    }
}

extension ItemReader {
    /// The marks of what the server has: what is shown may have a time that is yet to be sent, which matters where it has no
    /// tags.
    func serverContents(of item: Item) throws -> FileVersion {
        var version = item.version.contents
        guard version.etag == nil else { return version }
        for record in try updates(of: item.localID) {
            guard case .update(let attributes, let base, let before) = record.action else { continue }
            if let base { return base }
            guard attributes.modificationTime != nil else { continue }
            version.modificationTime = before
            break
        }
        return version
    }
}

extension ItemAttributes {
    /// These, and what the later ones say.
    fileprivate func overlaid(with later: ItemAttributes) -> ItemAttributes {
        ItemAttributes(
            modificationTime: later.modificationTime ?? modificationTime,
            permissions: later.permissions ?? permissions, contentType: later.contentType ?? contentType)
    }
}
