import FileProviding

/// Attributes that are changed locally and not yet on the server.
extension ItemWriter {
    /// Sets attributes of an item. Together with an earlier such command that has not begun it is one command.
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
        // If there are other commands before it, it applies to their result.
        let isFirst = records.isEmpty && item.cloudStatus != .localOnly && item.type == .regular
        let edited = item.cloudStatus == .locallyModified ? try reader.copyVersion(of: id) : nil
        let base = edited ?? item.version.contents
        try addRecord(event, of: id, .update(attributes, of: isFirst ? base : nil, before: item.modificationTime))
        try show(attributes, of: item)
        return Submission(id: event, item: id)
    }

    /// Shows an item as it was before its attributes were changed locally.
    func takeBack(_ attributes: ItemAttributes, before: FileTime?, of item: Item) throws {
        guard let time = attributes.modificationTime, item.modificationTime == time else { return }
        try setModificationTime(of: item.localID, before)
    }

    /// Records that the server has set attributes of an item, which was `known`, or had this time `before`.
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
        // Only discovery knows what a directory's new tag means.
        var version = item.version
        (version.modificationTime, version.isReadOnly) = (told.modificationTime, told.isReadOnly)
        if version != item.version { try update(item, to: version) }
    }

    /// Returns the version to show for one that the server reports: with the attributes that are still to be sent. If
    /// the first of them cannot be sent, the version that the server reports is what is shown again.
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
    /// Returns the properties of what the server has: the shown version may have a time that is still to be sent, which
    /// matters if the server has no tags.
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
    /// Returns these attributes, overridden by the later ones.
    fileprivate func overlaid(with later: ItemAttributes) -> ItemAttributes {
        ItemAttributes(
            modificationTime: later.modificationTime ?? modificationTime,
            permissions: later.permissions ?? permissions, contentType: later.contentType ?? contentType)
    }
}
