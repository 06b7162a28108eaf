import FileProviding

/// The target directory of a walk: made if it is missing, with the attributes that it gets now and at the end.
extension DirectoryWalk {
    /// Returns whether the target was created by this walk, and so is empty.
    mutating func isTargetNew() async throws -> Bool {
        if let isNew { return isNew }
        let isMade = try await makeTargetIfMissing()
        if isMade { await tools.ledger.ended(pair.source, pair.target, .created) }
        try await noteTarget(isMade: isMade)
        isNew = isMade
        return isMade
    }

    /// Remembers the target's identifier if a mount may show the target within the source, which would make the walk
    /// endless.
    private mutating func noteTarget(isMade: Bool) async throws {
        let (source, target) = (tree.job.source, tree.job.target.at(pair.target))
        guard isTop || !isMade, !tree.options.dryRun || !isMade,
            target.provider is any FileProviderLocalAccess,
            source.storage.identity.sharesStorage(with: target.storage.identity)
        else { return }
        let item = isMade ? nil : pair.existing
        let id =
            if let item, !item.isSymLink { item.fileID } else {
                try await target.provider.attributesOfItem(path: pair.target).fileID
            }
        if let id { pair.targets.insert(id) }
    }

    private mutating func makeTargetIfMissing() async throws -> Bool {
        guard pair.existing == nil, !pair.target.isRoot else { return false }
        do { try await makeTarget() } catch  where error.isInvalidFileName && tree.options.names == .map {
            guard let name = pair.target.lastComponent, let parent = pair.target.parent,
                let mapped = NameMapping.mapped(name)
            else { throw error }
            pair.target = parent.appending(mapped).asDirectory
            try await makeTarget()
        }
        return true
    }

    private func makeTarget() async throws {
        let provider = tree.job.target.provider
        guard !tree.options.dryRun else {
            return try await provider.checkName(ofNew: pair.target, isDirectory: true)
        }
        let attributes = ItemAttributes(permissions: permissions)
        let (finish, deletes) = (finish, tree.mirror?.rule.deletes ?? false)
        if finish != nil || deletes { try tools.journal.begin() }
        if let finish { try tools.journal.note(finish) }
        do {
            try await provider.step(
                .create(pair.target), OperationOptions(attributes: attributes, flush: tree.options.flush))
            if deletes { try tools.journal.note(new: pair.target) }
        } catch {
            // After anything else it may have been created.
            if let finish, error.isFileExists || error.isInvalidFileName { try tools.journal.withdraw(finish) }
            throw error
        }
    }

    /// What the journal is to know about the target before it is created; `nil` if there is nothing to do for it later.
    private var finish: MadeDirectory? {
        var made = MadeDirectory(
            source: nil, target: pair.target, attributes: ItemAttributes(modificationTime: pair.modificationTime))
        if tree.options.removesSources, let source = tree.job.source.at(pair.source).path(at: tree.job.target) {
            made.source = source
            made.attributes.permissions = pair.permissions.map { $0 & 0o777 }
            return made
        }
        guard judge.keepsDirectoryAttributes else { return nil }
        made.attributes.permissions = finalPermissions
        return made.attributes != ItemAttributes() ? made : nil
    }

    /// Returns a new directory's permissions: the source's as far as the umask allows, and full access for the owner.
    private var permissions: UInt16? {
        guard tree.options.keepsPermissions, let permissions = pair.permissions else { return nil }
        return (permissions & 0o777 | 0o700) & ~FileCreationMask.current
    }

    /// The permissions that a directory gets when everything is in it; `nil` for those that it was made with, as in a
    /// mirror, into which the next run writes.
    private var finalPermissions: UInt16? {
        guard tree.options.keepsPermissions, tree.mirror == nil, let permissions = pair.permissions,
            permissions & 0o700 != 0o700
        else { return nil }
        return permissions & 0o777 & ~FileCreationMask.current
    }
}
