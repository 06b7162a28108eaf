import FileProviding

extension HTTPFileProvider {
    /// Does a request's work. Where `createsParents` is set, repeats it after creating the missing parents if they were
    /// the reason for its failure: if it failed as "no such file", or by a 409 while the parent is missing.
    ///
    /// - Parameters:
    ///   - path: the item that the work creates.
    ///   - source: the item that it is made from, which has to exist before parents are created for it.
    ///   - isRepeatable: whether the work can be done twice; a stream that gives its bytes once cannot be sent again.
    ///   - context: whether parents are to be created.
    ///   - work: the requests.
    @discardableResult
    public func withParents<Result>(
        of path: ItemPath, from source: ItemPath? = nil, isRepeatable: Bool = true, in context: OperationContext,
        _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch  where error.isConflict && context.options.createsParents && isRepeatable {
            // If the parent is there, the 409 was about its absence until somebody else has created it.
            if let parent = path.parent, try await !itemExists(path: parent) {
                try await create(parent, for: source, in: context)
            }
            return try await work()
        } catch  where error.isNoSuchFile && context.options.createsParents && isRepeatable {
            guard let parent = path.parent else { throw error }
            try await create(parent, for: source, in: context)
            return try await work()
        }
    }

    /// Creates a directory for what is made from `source`, if that exists.
    private func create(_ directory: ItemPath, for source: ItemPath?, in context: OperationContext) async throws {
        if let source { _ = try await attributesOfItem(path: source) }
        // The item's attributes are not the parents'.
        var parents = context
        parents.options = OperationOptions(createsParents: true)
        do { try await perform(.create(directory), in: parents) } catch  where error.isFileExists {
            throw FileError.notADirectory(directory, writing: true)
        }
    }
}

extension Error {
    /// Whether the error is a 409 from the server (RFC 9110, section 15.5.10) whose cause is unknown.
    var isConflict: Bool { (self as? any FileProviderHTTPError)?.statusCode == 409 }
}
