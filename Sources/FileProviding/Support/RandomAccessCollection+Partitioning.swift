extension RandomAccessCollection {
    /// Where the elements begin that belong behind, in a collection that has all of those at its end; its end where there are
    /// none. Looks at as many as the collection can be halved.
    package func partitioningIndex(where belongsBehind: (Element) throws -> Bool) rethrows -> Index {
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
