import FileProviding
import Foundation

extension Core {
    // MARK: Policies

    /// Keeps an item's contents, and those of everything now or later below it, available offline; `false` ends that
    /// and removes copies fetched only for it. The copies are requested, or removed, by the next ``followPolicies()``.
    public func setAvailableOffline(_ item: LocalID, _ isAvailable: Bool) async throws {
        if isAvailable {
            try await setPolicy(.availableOffline, of: item)
        } else {
            try await removePolicy(.availableOffline, of: item)
        }
    }

    /// Gives an item a rule, in place of the one of that kind that it had. The next ``followPolicies()`` follows it.
    ///
    /// - Throws: `CocoaError(.fileReadNoSuchFile)` if there is no such item.
    public func setPolicy(_ rule: ItemPolicy.Rule, of item: LocalID) async throws {
        try await changePolicies(of: item) { writer in
            try writer.removePolicies(rule.kind, of: item)
            try writer.add(ItemPolicy(id: UUID(), rule: rule, itemID: item))
        }
    }

    /// Takes the rule of a kind from an item; does nothing if it has none. Rules of items above hold again.
    ///
    /// - Throws: `CocoaError(.fileReadNoSuchFile)` if there is no such item.
    public func removePolicy(_ kind: ItemPolicy.Kind, of item: LocalID) async throws {
        try await changePolicies(of: item) { try $0.removePolicies(kind, of: item) }
    }

    private func changePolicies(
        of item: LocalID, _ change: @escaping @Sendable (ItemWriter) throws -> Void
    ) async throws {
        try await vault.database.write { writer in
            guard try writer.reader.item(item)?.isRemoved == false else { throw FileError.noSuchFile("item \(item)") }
            try change(writer)
        }
    }

    /// Returns all policies.
    public func policies() async throws -> [ItemPolicy] { try await vault.database.read { try $0.policies() } }

    // MARK: Claims

    /// Claims a file's copy, which need not be here yet. End the claim with ``giveUp(_:)``, unless it ends by itself.
    ///
    /// - Throws: `CocoaError(.fileReadNoSuchFile)` if there is no such item; "is a directory" for one.
    public func claim(_ item: LocalID, _ claim: Claim, lock: Claim.Lock) async throws -> ItemClaim {
        let made = ItemClaim(id: UUID(), itemID: item, claim: claim, lock: lock)
        try await vault.database.write { writer in
            guard let file = try writer.reader.item(item), !file.isRemoved else {
                throw FileError.noSuchFile("item \(item)")
            }
            guard !file.isDirectory else { throw FileError.isADirectory(file.path) }
            try writer.add(made)
        }
        return made
    }

    /// A claim that holds as long as this core is open.
    public var coreLifetime: Claim { .coreLifetime(lifetime) }

    /// Gives a claim up.
    public func giveUp(_ claim: ItemClaim) async throws {
        try await vault.database.write { try $0.removeClaim(claim.id) }
    }

    /// Returns the claims that hold; those that can no longer hold are forgotten.
    public func claims() async throws -> [ItemClaim] {
        let circumstances = vault.database.circumstances(at: vault.clock())
        let claims = try await vault.database.read { try $0.claims() }
        let over = claims.filter { $0.claim.isOver(circumstances) }
        if !over.isEmpty {
            try await vault.database.write { writer in for claim in over { try writer.removeClaim(claim.id) } }
        }
        return claims.filter { $0.claim.isValid(circumstances) }
    }

    /// Returns the claims on an item's copy that hold now.
    public func claims(on item: LocalID) async throws -> [ItemClaim] {
        let circumstances = vault.database.circumstances(at: vault.clock())
        return try await vault.database.read { try $0.claims(on: item) }.filter { $0.claim.isValid(circumstances) }
    }

    // MARK: Following them

    /// Does what policies and rules demand: requests copies that should exist, or newer ones, and removes those that
    /// nobody needs. The copies arrive when the core runs, or with the next ``settle(waiting:)``. While the core runs,
    /// it does all this after each scan.
    public func followPolicies() async throws {
        let locks = Dictionary(grouping: try await claims(), by: \.itemID).mapValues { $0.map(\.lock).max() ?? .delete }
        let (rules, now) = (rules, vault.clock())
        let (offline, copies, underWay, claims, policies) = try await vault.database.read { reader in
            let copies = try reader.unchangedCopies()
            return (
                try reader.files(under: .availableOffline), copies, try reader.downloads(for: .availableOffline),
                try reader.claims(), try reader.policyRules(of: copies.map(\.item), otherwise: rules)
            )
        }
        let pinned = Set(offline.map(\.localID))
        // Also those of claims that may hold again.
        let frozen = Set(claims.filter { $0.lock == .write }.map(\.itemID))
        for download in underWay where !pinned.contains(download.itemID) && locks[download.itemID] == nil {
            // Somebody may have asked for it meanwhile.
            try await engine.cancel(download.id) { try $0.isUnpinned(download.itemID) }
        }
        try await pump.follow()
        for file in offline where file.cloudStatus == .cloudOnly && file.activity == nil {
            try await fetch(file, for: .availableOffline)
        }
        for copy in copies {
            let (id, lock) = (copy.item.localID, locks[copy.item.localID])
            let rules = policies[id] ?? rules
            let expiry = rules.expiration.map { now.later(bySeconds: -$0.components.seconds) }
            let isCurrent = (copy.version ?? FileVersion()).isCurrent(beside: copy.item.version)
            if copy.item.downloadTrigger == .availableOffline, lock == nil, !pinned.contains(id) {
                try await removeCopy(of: id) { reader in try reader.isUnpinned(id) }
            } else if let expiry, let usedAt = copy.usedAt, usedAt < expiry, lock == nil, !pinned.contains(id) {
                try await removeCopy(of: id) { try $0.useOfCopy(of: id).map { $0 < expiry } ?? false }
            } else if !isCurrent, !frozen.contains(id), rules.followsVersions || pinned.contains(id) || lock == .read {
                try await fetch(copy.item, for: copy.item.downloadTrigger ?? .asked)
            }
        }
    }

    private func fetch(_ file: Item, for trigger: DownloadTrigger) async throws {
        let id = EventID()
        do {
            let command = try await submit(.download(file.localID), as: id, for: trigger)
            if command.id != id { commands.finish(id, .failure(CancellationError())) }
        } catch  where error.isNoSuchFile || error.isADirectory {}  // It has gone meanwhile.
    }

    /// Removes a file's copy, if the server has the same contents; a file with unsent changes keeps its copy, and so
    /// does one whose copy is claimed, or is all that is left of it until an issue is answered.
    public func removeCopy(of item: LocalID) async throws { try await removeCopy(of: item) { _ in true } }

    /// - Parameter isUnwanted: whether that is still wanted, when it is done.
    private func removeCopy(
        of item: LocalID, if isUnwanted: @escaping @Sendable (ItemReader) throws -> Bool
    ) async throws {
        let copy: LocalCopy? = try await vault.database.write { writer in
            guard try writer.reader.item(item)?.cloudStatus == .localCopy,
                try !writer.isClaimed(item), try !writer.reader.isLost(item), try isUnwanted(writer.reader)
            else { return nil }
            let copy = try writer.reader.copy(of: item)
            try writer.setCopy(of: item, nil, version: nil)
            return try copy.flatMap { try writer.letGo([$0], of: item, .delete).first }
        }
        if let copy { try vault.remove(copy) }
    }

    /// Removes what is no longer needed: old tombstones, copies and thumbnails of items that are gone, the least
    /// recently used thumbnails beyond ``CopyRules/thumbnailSpace``, and leftovers of interrupted commands in the
    /// vault's folder and, if it can be reached, on the server. The core does this once a day while it runs.
    public func vacuum() async throws {
        let (rules, now) = (rules, vault.clock())
        // Claims that can no longer hold are forgotten.
        _ = try await claims()
        // This is read first: what a command adds from now on is not included.
        let holdings = try vault.holdings()
        let (commands, copies, released) = try await vault.database.write { writer in
            let released = try writer.releaseCopiesOfRemoved()
            try writer.forgetUnclaimedCopies()
            try writer.forgetTombstones(before: now.later(bySeconds: -rules.tombstoneLifetime.components.seconds))
            return (try writer.reader.records(after: 0).map(\.id), try writer.reader.copyIDs(), released)
        }
        for copy in released { try vault.remove(copy) }
        try vault.remove(holdings, exceptCopies: copies, commands: commands)
        await engine.discardLeftovers()
        let present = try await vault.database.read { try $0.presentItems() }
        try vault.removeThumbnails(limit: rules.thumbnailSpace) { present.contains($0) }
    }
}

extension Core {
    /// Vacuums if the last time was a day ago.
    func vacuumDaily() async throws {
        let now = vault.clock()
        let isDue = vacuumedAt.withLock { $0.map { now < $0 || now >= $0.later(bySeconds: 86_400) } ?? true }
        guard isDue else { return }
        try await vacuum()
        vacuumedAt.withLock { $0 = now }
    }
}
