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
        for checksum in original.checksums {
            guard let other = target.checksums.first(where: { $0.algorithm == checksum.algorithm }) else { continue }
            return other == checksum ? "same \(checksum.algorithm.rawValue)" : nil
        }
        guard let size = original.size, size == target.size, let mine = original.modificationTime,
            let ahead = lead(original, target)
        else { return nil }
        guard keeps(mine) else { return ahead < 0 && !isCertain ? "same size, not newer" : nil }
        return ahead.magnitude < UInt64(window) ? "same size and time" : nil
    }

    /// Returns whether only comparing the bytes tells: they are equally long, and the source may have been changed in
    /// the very second in which the target, which has a time of its own, was written.
    func isDoubtful(_ original: FileObject, _ target: FileObject) -> Bool {
        guard original.isRegularFile, target.isRegularFile, original.size != nil, original.size == target.size,
            Set(original.checksums.map(\.algorithm)).isDisjoint(with: target.checksums.map(\.algorithm)),
            let mine = original.modificationTime, !keeps(mine), let ahead = lead(original, target)
        else { return false }
        return (0..<window).contains(ahead)
    }

    /// The difference below which times count as equal, in nanoseconds.
    private var window: Int64 {
        max(destination.settableTimePrecision ?? 0, destination.timePrecision, source.timePrecision)
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
