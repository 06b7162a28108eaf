import FileProviding

/// Whether an existing target is the source already, without reading either.
struct Sameness {
    /// What is known of the destination's times.
    let destination: ProviderCharacteristics
    /// What is known of the source's times.
    let source: ProviderCharacteristics

    /// Why both are the same, in words, or `nil` when they are not.
    ///
    /// - Parameter isCertain: whether equal sizes, with a source that is not newer, are not enough.
    func reason(_ original: FileObject, _ target: FileObject, isCertain: Bool = false) -> String? {
        guard original.type == target.type else { return nil }
        for checksum in original.checksums {
            guard let other = target.checksums.first(where: { $0.algorithm == checksum.algorithm }) else { continue }
            return other == checksum ? "same \(checksum.algorithm.rawValue)" : nil
        }
        guard let size = original.size, size == target.size else { return nil }
        guard let mine = original.modificationTime, let theirs = target.modificationTime else { return nil }
        let window = max(destination.settableTimePrecision ?? 0, destination.timePrecision, source.timePrecision)
        let (ahead, overflow) = mine.nanoseconds.subtractingReportingOverflow(theirs.nanoseconds)
        guard !overflow else { return nil }
        if ahead.magnitude < UInt64(window) { return "same size and time" }
        return !keeps(mine) && ahead < 0 && !isCertain ? "same size, not newer" : nil
    }

    /// Whether a file that is copied there has this time afterwards.
    private func keeps(_ time: FileTime) -> Bool {
        destination.settableTimePrecision != nil && destination.earliestSettableTime.map { time >= $0 } ?? true
    }
}
