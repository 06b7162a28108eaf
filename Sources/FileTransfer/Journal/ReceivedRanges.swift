/// The bytes of a file that have arrived: disjoint ranges in order.
struct ReceivedRanges: Codable, Sendable, Hashable {
    private(set) var ranges: [Range<Int64>] = []

    /// The number of bytes that have arrived.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
    /// The number of bytes that have arrived from the start without a gap.
    var prefix: Int64 { ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0 }

    /// Adds a range, joined with those that it touches.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        let last = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
        let touched = ranges[first..<last]
        let lower = min(range.lowerBound, touched.first?.lowerBound ?? range.lowerBound)
        let upper = max(range.upperBound, touched.last?.upperBound ?? range.upperBound)
        ranges.replaceSubrange(first..<last, with: [lower..<upper])
    }

    /// Returns the missing ranges of a file of `size` bytes.
    func missing(of size: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position: Int64 = 0
        for range in ranges {
            if position < min(range.lowerBound, size) { gaps.append(position..<min(range.lowerBound, size)) }
            position = max(position, range.upperBound)
        }
        if position < size { gaps.append(position..<size) }
        return gaps
    }
}
