import FileProviding

extension SyncEngine {
    /// Lets the record that waits for the answer to an issue continue as the answer says.
    ///
    /// - Throws: for `replace`, what the connection throws when the server's current version is requested, and "has
    ///   changed" if contents have a version there that nobody has seen: the next answer is about that one.
    func resolve(_ id: Issue.ID, with answer: Issue.Answer) async throws {
        guard let itemID = id.item else { return }
        let record = try await vault.database.read { reader in
            try reader.records(of: itemID).first { $0.waits.contains(.answer) }
        }
        var version: ServerVersion?
        if answer == .replace, let record {
            version = try await presentVersion(record)
            if let path = try await show(version, about: record) { throw FileError.changed(path) }
        }
        let present = version
        let vault = vault
        let effects = try await change { writer in
            var effects = SyncEffects(vault: vault)
            try writer.settle(id)
            // Its current state: a command may have overtaken the answer.
            guard let record, let record = try writer.reader.record(record.id), record.waits.contains(.answer) else {
                return effects
            }
            switch answer {
            case .keepBoth: try writer.keepBoth(record, &effects)
            case .replace: try writer.replace(record, present, &effects)
            case .retry, .acknowledge, .takeServer, .keepLocal, .trust, .follow: try writer.resume(record, &effects)
            case .cancel: try writer.giveUp(record, EventFailure(CancellationError()), &effects)
            }
            return effects
        }
        try await carryOut(effects)
    }

    /// Stores what contents are to replace as the server's newer version, if another one was the last known.
    ///
    /// - Returns: the item's path, if so.
    private func show(_ present: ServerVersion?, about record: SyncRecord) async throws -> ItemPath? {
        // What is no file is not replaced anyway.
        guard record.kind == .upload, let present, present.type == .regular else { return nil }
        return try await vault.database.write { writer in
            guard let item = try writer.reader.item(record.itemID), let seen = item.newerVersion,
                !seen.contents.isSameVersion(as: present)
            else { return nil }
            try writer.setNewerVersion(of: item, to: present)
            return item.path
        }
    }

    /// Returns what the server has where a record is to put something or to remove it; `nil` for nothing.
    private func presentVersion(_ record: SyncRecord) async throws -> ServerVersion? {
        let path: ItemPath? = try await vault.database.read { reader in
            var place = try reader.serverPlace(of: record.itemID) ?? record.places.first
            if place == nil, let item = try reader.item(record.itemID), !item.isRemoved { place = item.place }
            return try place.map(reader.serverPath(of:))
        }
        guard let path else { return nil }
        do { return ServerVersion(try await connection.attributes(of: path)) } catch  where error.isNoSuchFile {
            return nil
        }
    }
}
