import FileProviding

/// Directories known to exist at the destination, so that nobody asks or creates twice.
actor DirectoryCache {
    private var known: Set<ItemPath> = []

    /// Makes sure of a directory; returns whether it was made now, and so is empty.
    ///
    /// - Parameter isThere: whether the caller has seen it.
    func ensure(_ directory: TransferEndpoint, isThere: Bool, dryRun: Bool) async throws -> Bool {
        guard !directory.path.isRoot, !known.contains(directory.path) else { return false }
        if !isThere, !dryRun {
            try await directory.provider.createDirectory(path: directory.path.asDirectory)
        }
        known.insert(directory.path)
        return !isThere
    }
}
