import FileProviding

/// Directories known to exist at the destination, so that nobody asks or creates twice.
actor DirectoryCache {
    private var known: Set<ItemPath> = []

    /// Makes sure of a directory; returns whether it was made now, and so is empty.
    ///
    /// - Parameters:
    ///   - isThere: whether the caller has seen it.
    ///   - permissions: what a new one gets; `nil` for what is usual there.
    func ensure(
        _ directory: TransferEndpoint, isThere: Bool, permissions: UInt16?, dryRun: Bool
    ) async throws -> Bool {
        guard !directory.path.isRoot, !known.contains(directory.path) else { return false }
        if !isThere, dryRun {
            try await directory.provider.checkName(ofNew: directory.path, isDirectory: true)
        } else if !isThere {
            let attributes = ItemAttributes(permissions: permissions)
            _ = try await directory.provider.perform(
                .create(directory.path.asDirectory),
                in: OperationContext(options: OperationOptions(attributes: attributes)))
        }
        known.insert(directory.path)
        return !isThere
    }
}
