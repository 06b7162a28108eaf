extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies the predicate, in a collection where all such elements are
    /// at the end; `endIndex` where there are none. Binary search.
    @inlinable package func partitioningIndex(where belongsBehind: (Element) throws -> Bool) rethrows -> Index {
        var (start, length) = (startIndex, count)
        while length > 0 {
            let half = length / 2
            let middle = index(start, offsetBy: half)
            if try belongsBehind(self[middle]) {
                length = half
            } else {
                start = index(after: middle)
                length -= half + 1
            }
        }
        return start
    }
}
