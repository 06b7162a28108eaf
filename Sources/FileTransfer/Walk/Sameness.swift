import FileProviding

/// Determines whether an existing target is already the same as the source, without reading either.
struct Sameness {
    /// The known precision of the destination's times.
    let destination: ProviderCharacteristics
    /// The known precision of the source's times.
    let source: ProviderCharacteristics

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
        guard keeps(mine) else { return ahead < 0 && !isCertain ? "same size, not newer" : nil }
        return ahead.magnitude < UInt64(window(original, target)) ? "same size and time" : nil
    }

    /// Returns whether only the bytes can tell: for files of equal size, if the target does not keep the source's time
    /// and the source may have been changed in the second in which the target was written; for links, if a listing did
    /// not report a target.
    func isDoubtful(_ original: FileObject, _ target: FileObject) -> Bool {
        if original.isSymLink, target.isSymLink { return original.linkTarget == nil || target.linkTarget == nil }
        guard original.isRegularFile, target.isRegularFile, original.size != nil, original.size == target.size,
            Set(original.checksums.map(\.algorithm)).isDisjoint(with: target.checksums.map(\.algorithm)),
            let mine = original.modificationTime, !keeps(mine), let ahead = lead(original, target)
        else { return false }
        return (0..<window(original, target)).contains(ahead)
    }

    /// Returns whether the target is still what an earlier run left there, as far as was reported.
    func isStill(_ left: FinishedFile, _ target: FileObject) -> Bool {
        // The precision of the time that was set may be finer than that of a listing.
        left.mayBe(target, precision: max(destination.settableTimePrecision ?? 0, destination.timePrecision))
    }

    /// The difference below which times count as equal, in nanoseconds.
    private func window(_ original: FileObject, _ target: FileObject) -> Int64 {
        max(
            destination.settableTimePrecision ?? 0, destination.precision(of: target.modificationTime),
            source.precision(of: original.modificationTime))
    }

    /// Returns by how much the source is newer, in nanoseconds.
    private func lead(_ original: FileObject, _ target: FileObject) -> Int64? {
        guard let mine = original.modificationTime, let theirs = target.modificationTime else { return nil }
        let (ahead, overflow) = mine.nanoseconds.subtractingReportingOverflow(theirs.nanoseconds)
        return overflow ? nil : ahead
    }

    /// Returns whether a file that is copied to the destination keeps this time.
    private func keeps(_ time: FileTime) -> Bool {
        destination.settableTimePrecision != nil && destination.earliestSettableTime.map { time >= $0 } ?? true
    }
}

extension ProviderCharacteristics {
    /// Returns the precision of a time, in nanoseconds: at least a microsecond if it has a fraction of a second, even
    /// if the storage reports other times in whole seconds.
    func precision(of time: FileTime?) -> Int64 {
        time.map { $0.subsecond == 0 } ?? true ? timePrecision : min(timePrecision, 1_000)
    }
}

extension FileTime {
    /// Returns whether two times differ by less than this many nanoseconds.
    func isWithin(_ window: Int64, of other: FileTime) -> Bool {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return !overflow && difference.magnitude < UInt64(window)
    }
}
