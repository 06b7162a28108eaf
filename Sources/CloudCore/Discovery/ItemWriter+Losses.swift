import FileProviding

/// Losses are recorded while a scan finds them, and merged together when it is done, or held back by an issue.
extension ItemWriter {
    // MARK: Noting

    /// Returns whether an entry's version is held back until all losses are known: an older version than the local copy
    /// was made from; or another item in the place of one that has a copy, is to have one, or holds something that is
    /// only local; or in the place of any item, on a server that went back.
    func keepsBack(_ version: ServerVersion, from occupant: Item) throws -> Bool {
        let isSame = occupant.isSameItem(as: version)
        switch occupant.cloudStatus {
        case .localCopy: return !isSame || version.wentBack(from: occupant.version)
        case .cloudOnly:
            return try !isSame
                && (reader.earlierState() == .certain || reader.hasPolicy(occupant.localID)
                    || occupant.isDirectory
                        && (holdsUnsent(occupant) || !reader.itemsWithCopy(below: occupant.localID).isEmpty))
        case .locallyModified, .localOnly: return false
        }
    }

    /// Returns whether something in a directory is not on the server, or not at its place there.
    private func holdsUnsent(_ directory: Item) throws -> Bool {
        try !reader.unsentItems(below: directory.localID).isEmpty
            || !reader.arrivals(below: directory.localID).isEmpty
    }

    // MARK: Judging

    /// Merges a loss of ordinary size; raises an issue about anything larger and, as long as that is open, about
    /// everything.
    ///
    /// - Parameter looked: the directories that were listed, if their turn had come; not because they have changed.
    /// - Returns: whether more directories have to be listed to know more.
    func judgeLosses(after looked: Set<LocalID>) throws -> Bool {
        let losses = try reader.losses()
        if !losses.isEmpty, let kind = try reader.lossIssue() ?? losses.issue ?? issue(losses, in: looked) {
            try raise(Issue.ID(kind), losses.detail)
            return false
        }
        let keptBack = try reader.itemsKeptBack()
        let remade = try keptBack.filter(isMadeAnew)
        // These directories were created again: their contents show what is lost.
        for item in remade { try becomeNewDirectory(item) }
        if !remade.isEmpty { return true }
        // First, since what is missing may now be in another item's place.
        try replace(keptBack)
        try giveUpMissing()
        // What has shown an earlier state may have to be listed yet.
        if try reader.earlierState() == .byName && reader.hasUntriedJobs() { return false }
        try forgetLosses()
        return false
    }

    /// Returns the issue to be raised because next to nothing is left wherever a scan has looked, so that the rest,
    /// when its turn comes, would be lost little by little.
    private func issue(_ losses: Losses, in looked: Set<LocalID>) throws -> Issue.Kind? {
        // A few directories may well have been emptied by somebody.
        guard looked.count >= 16, losses.gone >= 16, losses.goneCopies > 0 else { return nil }
        let seen = try looked.reduce(0) { try $0 + reader.filesSeen(in: $1) }
        return seen * 4 <= losses.gone ? .itemsVanished : nil
    }

    /// Returns whether a directory has been replaced by a new one, not by one that is known from elsewhere.
    private func isMadeAnew(_ item: Item) throws -> Bool {
        guard item.isDirectory, let version = item.newerVersion, version.type == .directory else { return false }
        return try version.fileID.map { try reader.item(fileID: $0) == nil } ?? true
    }

    private func becomeNewDirectory(_ item: Item) throws {
        guard let version = item.newerVersion else { return }
        try update(item, to: version)
        try addJob(item.localID, .scan)
    }

    private func forgetLosses() throws {
        try note(Losses.EarlierState.none)
        try settle(Issue.ID(.itemsVanished))
        try settle(Issue.ID(.serverWentBack))
        try noteKnown()
    }

    /// Records which items are known, unless something seems to be lost already.
    func noteKnown() throws {
        guard try !reader.hasLosses() else { return }
        try execute(
            """
            INSERT INTO counters SELECT ?, coalesce(max(localID), 0) FROM items WHERE true
            ON CONFLICT(name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
            """, [ItemReader.lastKnown])
    }

    // MARK: Answers

    /// Accepts the server's state. A claimed copy stays with its item until the claim is over.
    ///
    /// - Parameter recover: is called with every copy that would be lost.
    /// - Returns: the copies that no longer belong to any item.
    func takeLosses(_ recover: (LocalCopy) throws -> Void) throws -> [LocalCopy] {
        let lost = try reader.copiesToLose()
        for (_, copy) in lost { try recover(copy) }
        let copies = try lost.filter { try !isClaimed($0.item) }
        let keptBack = try reader.itemsKeptBack()
        for item in keptBack {
            guard let version = item.newerVersion, item.isSameItem(as: version) else { continue }
            try update(item, to: version)
        }
        try replace(keptBack.filter { item in !(item.newerVersion.map(item.isSameItem) ?? true) })
        try giveUpMissing()
        try forgetLosses()
        // Should an item come back, it is as on the server.
        for (item, _) in copies { try setCopy(of: item, nil, version: nil) }
        return try copies.map(\.copy).filter { try !reader.isHeld($0) }
    }

    /// Turns all copies of what was lost into local changes; what has no copy is as on the server.
    func keepLosses() throws {
        let keptBack = try reader.itemsKeptBack()
        for item in try reader.missingItems() + keptBack { try markCopiesModified(below: item.localID) }
        try giveUpMissing()
        var replaced: [Item] = []
        for item in keptBack {
            guard let item = try reader.item(item.localID), let version = item.newerVersion else { continue }
            switch (item.isDirectory, version.type == .directory) {
            case (true, true):
                // What is below it has another identifier too; its copies are local changes by now.
                try becomeNewDirectory(item)
            case (false, false) where item.cloudStatus == .locallyModified:
                // What is newer is somebody's work, and becomes an issue.
                if version.wentBack(from: item.version) { try adopt(item, version) }
            case (false, true) where item.cloudStatus == .locallyModified:
                // Sending it becomes an issue.
                break
            default:
                replaced.append(item)
            }
        }
        try replace(replaced)
        try forgetLosses()
    }

    private func giveUpMissing() throws {
        let uncertain = try reader.uncertainPlaces()
        for item in try reader.missingItems() {
            if let place = try reader.serverPlace(of: item.localID),
                try uncertain.contain(item.localID, at: place, reader)
            {
                continue
            }
            // Giving up a directory also gives up what is missing below it.
            guard let item = try reader.item(item.localID), !item.isRemoved else { continue }
            try giveUp(item)
        }
    }

    /// Gives up items for others that the server has in their places. All are given up first, since they may have
    /// swapped places. A directory that holds something that is only local gets another name, unless it has taken the
    /// place of one of the others.
    private func replace(_ items: [Item]) throws {
        let arriving = Set(items.compactMap { $0.newerVersion?.fileID })
        var waiting: [(id: LocalID, place: Place)] = []
        for item in items {
            if item.isDirectory, let parent = item.parentID, try holdsUnsent(item) {
                // The names of the others become free, but not for this.
                let reserved = Set(items.filter { $0.parentID == parent }.map(\.itemName))
                let name = try reader.freeName(
                    like: item.itemName, in: parent, at: now, from: 1, for: item.localID, besides: reserved)
                try move(item.localID, to: name, in: parent)
                if item.fileID.map(arriving.contains) ?? false {
                    waiting.append((item.localID, Place(name, in: parent)))
                } else {
                    try giveUp(item)
                }
            } else {
                try remove(item.localID)
            }
        }
        for item in items {
            guard let parent = item.parentID, let version = item.newerVersion,
                try reader.item(parent)?.isRemoved == false
            else { continue }
            try place(item.itemName, version, childrenCount: nil, in: parent, propagatesETags: true)
        }
        for (id, place) in waiting {
            guard let item = try reader.item(id), !item.isRemoved, item.place == place else { continue }
            try giveUp(item)
        }
        for item in items { try handOnPolicies(of: item) }
    }

    /// Transfers the policies of an item that is gone to the one in its place, if that has the same type.
    private func handOnPolicies(of item: Item) throws {
        guard let parent = item.parentID, try reader.item(item.localID)?.isRemoved ?? false,
            let successor = try reader.item(named: item.itemName, in: parent), successor.type == item.type
        else { return }
        try handOnPolicies(of: item.localID, to: successor.localID)
    }

    private func markCopiesModified(below id: LocalID) throws {
        for item in try reader.itemsWithCopy(below: id) where item.cloudStatus == .localCopy {
            guard let copy = try reader.copy(of: item.localID) else { continue }
            try setModified(
                item.localID, copy, size: item.size ?? 0,
                modificationTime: item.modificationTime ?? FileTime(nanoseconds: 0))
            try addRecord(EventID(), of: item.localID, .upload(copy, to: nil), total: item.size)
        }
    }
}

extension ServerVersion {
    /// Returns whether this version is from before the one that an item's copy was made from.
    func isReverted(_ item: Item) -> Bool { item.cloudStatus == .localCopy && wentBack(from: item.version) }

    /// Returns whether this is another version than the known one, and from before it. The times of one version, which
    /// has one size, may differ by two seconds, because servers round; fractions of a second count where both have some.
    func wentBack(from known: ServerVersion) -> Bool {
        guard let time = modificationTime, let knownTime = known.modificationTime else { return false }
        let isOtherSize = type == .regular && size != nil && known.size != nil && size != known.size
        let isEarlier =
            isOtherSize && time.hasFraction && knownTime.hasFraction
            ? time < knownTime : time.seconds < knownTime.seconds - (isOtherSize ? 0 : 2)
        return isEarlier && (etag?.opaque != known.etag?.opaque || etag == nil)
    }
}

extension FileTime {
    fileprivate var hasFraction: Bool { nanoseconds % 1_000_000_000 != 0 }
}
