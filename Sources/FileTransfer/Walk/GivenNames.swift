import FileProviding

/// The names that are given in one directory.
struct GivenNames {
    /// Their hashes: two names with the same one only wait for each other without need.
    private var hashes: Set<Int> = []

    /// Gives a name; returns whether it may be taken for one that was given earlier.
    mutating func give(_ name: ItemName) -> Bool { !hashes.insert(name.folded.hashValue).inserted }
}
