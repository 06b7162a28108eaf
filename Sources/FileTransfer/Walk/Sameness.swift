import FileProviding

/// Determines whether an existing target is already the same as the source, without reading either.
struct Sameness {
    /// The longest file that is read to be compared because a storage does not tell its size or time.
    private static let comparedSize: Int64 = 16 << 20

    /// What is known of the destination, such as the precision of its times.
    private(set) var destination: ProviderCharacteristics
    /// The same of the source.
    let source: ProviderCharacteristics

    /// The reason if the destination has the source's time.
    static let sameTime = "same size and time"
    /// The reason if the destination has a time of its own.
    static let notNewer = "same size, not newer"

    /// Returns why both are the same, in words, or `nil` when they are not.
    ///
    /// - Parameter isCertain: whether equal sizes with a source that is not newer are not enough.
    func reason(_ original: FileObject, _ target: FileObject, isCertain: Bool = false) -> String? {
        guard original.type == target.type else { return nil }
        if original.isSymLink {
            guard let mine = original.linkTarget, mine == target.linkTarget else { return nil }
            return "same link"
        }
        for checksum in original.checksums {
            guard let other = target.checksums.first(where: { $0.algorithm == checksum.algorithm }) else { continue }
            return other == checksum ? "same \(checksum.algorithm.rawValue)" : nil
        }
        guard let size = original.size, size == target.size, let mine = original.modificationTime,
            let ahead = lead(original, target)
        else { return nil }
        guard destination.keeps(mine) else { return ahead < 0 && !isCertain ? Self.notNewer : nil }
        return ahead.magnitude < UInt64(window(original, target)) || isRest(ahead, of: target.modificationTime)
            ? Self.sameTime : nil
    }

    /// Returns whether a target's time lacks only the source's last digits: its file system keeps fewer than known.
    private func isRest(_ ahead: Int64, of time: FileTime?) -> Bool {
        time.map { (0..<$0.granularity).contains(ahead) } ?? false
    }

    /// Returns whether only the bytes can tell: for files of equal size, if the target does not keep the source's time
    /// and the source may have been changed in the second in which the target was written, or if an end tells no time;
    /// for small files, if an end tells no size; for links, if a listing did not report a target.
    func isDoubtful(_ original: FileObject, _ target: FileObject) -> Bool {
        if original.isSymLink, target.isSymLink { return original.linkTarget == nil || target.linkTarget == nil }
        guard original.isRegularFile, target.isRegularFile,
            Set(original.checksums.map(\.algorithm)).isDisjoint(with: target.checksums.map(\.algorithm))
        else { return false }
        guard let size = original.size, let other = target.size else {
            return (original.size ?? target.size).map { $0 <= Self.comparedSize } ?? false
        }
        guard size == other else { return false }
        guard let ahead = lead(original, target) else { return size <= Self.comparedSize }
        guard let mine = original.modificationTime, !destination.keeps(mine) else { return false }
        return (0..<window(original, target)).contains(ahead)
    }

    /// What the times of two files of equal size tell, as long as the target's storage keeps times.
    enum TimeEvidence {
        /// That they are the same.
        case equal
        /// That they are not, although the target is the later one.
        case later
    }

    /// Returns what only their times tell about two files, and would not if the target's storage kept none.
    func timeEvidence(_ original: FileObject, _ target: FileObject) -> TimeEvidence? {
        guard original.isRegularFile else { return nil }
        switch reason(original, target) {
        case Self.sameTime: return .equal
        case nil: return withoutTimes.reason(original, target) == Self.notNewer ? .later : nil
        default: return nil
        }
    }

    /// The same for a destination that keeps no times.
    var withoutTimes: Sameness {
        var sameness = self
        sameness.destination.settableTimePrecision = nil
        return sameness
    }

    /// Returns whether the target is still what an earlier run left there, as far as was reported.
    func isStill(_ left: FinishedFile, _ original: FileObject, _ target: FileObject) -> Bool {
        // The precision of the time that was set may be finer than that of a listing.
        let precision = max(destination.settableTimePrecision ?? 0, destination.timePrecision)
        if left.mayBe(target, precision: precision) { return true }
        // A storage may keep the source's time without saying so.
        return left.tag == nil && left.time == nil
            && lead(original, target).map { $0.magnitude < UInt64(window(original, target)) } ?? false
    }

    /// The difference below which times count as equal, in nanoseconds.
    private func window(_ original: FileObject, _ target: FileObject) -> Int64 {
        max(
            destination.settableTimePrecision ?? 0, destination.precision(of: target.modificationTime),
            source.precision(of: original.modificationTime))
    }

    /// Returns by how much the source is newer, in nanoseconds.
    private func lead(_ original: FileObject, _ target: FileObject) -> Int64? {
        guard let mine = original.modificationTime else { return nil }
        // Some servers do not report the time 0 (sabre/dav).
        let isLeftOut = target.modificationTime == nil && mine.nanoseconds == 0 && destination.keeps(mine)
        guard let theirs = target.modificationTime ?? (isLeftOut ? mine : nil) else { return nil }
        // What is beyond the range of times tells nothing.
        guard !mine.isLimit, !theirs.isLimit else { return nil }
        let (ahead, overflow) = mine.nanoseconds.subtractingReportingOverflow(theirs.nanoseconds)
        return overflow ? nil : ahead
    }
}
