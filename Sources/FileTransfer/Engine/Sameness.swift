import FileProviding

/// Whether an existing target is the source already, without reading either.
struct Sameness {
    /// What is known of the destination's times.
    let destination: ProviderCharacteristics
    /// What is known of the source's times.
    let source: ProviderCharacteristics

    /// Why both are the same, in words, or `nil` when they are not.
    func reason(_ original: FileObject, _ target: FileObject) -> String? {
        guard original.type == target.type else { return nil }
        for checksum in original.checksums {
            guard let other = target.checksums.first(where: { $0.algorithm == checksum.algorithm }) else { continue }
            return other == checksum ? "same \(checksum.algorithm.rawValue)" : nil
        }
        guard let size = original.size, size == target.size else { return nil }
        guard let mine = original.modificationTime, let theirs = target.modificationTime else { return nil }
        if let precision = destination.settableTimePrecision {
            let window = max(precision, destination.timePrecision, source.timePrecision)
            let (distance, overflow) = mine.nanoseconds.subtractingReportingOverflow(theirs.nanoseconds)
            return !overflow && distance.magnitude < UInt64(window) ? "same size and time" : nil
        }
        return mine <= theirs ? "same size, not newer" : nil
    }
}
