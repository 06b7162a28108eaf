import FileProviding

/// The names that are given in one directory.
struct GivenNames {
    /// Their hashes: two names with the same one only wait for each other without need.
    private var hashes: Set<Int> = []

    /// Returns whether a name may be an earlier one's twin; from now on it is an earlier one.
    mutating func isTwin(_ name: ItemName) -> Bool { !hashes.insert(name.folded.hashValue).inserted }
}
