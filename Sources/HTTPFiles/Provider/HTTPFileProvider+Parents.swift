import FileProviding

extension HTTPFileProvider {
    /// Does a request's work. Repeats it after creating the missing parents if they were the reason for its failure, or
    /// after a 409, where `createsParents` is set.
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
            // The 409 was about a parent that was missing, and that somebody else has created by now.
            return try await work()
        } catch  where error.isNoSuchFile && context.options.createsParents && isRepeatable {
            guard let parent = path.parent else { throw error }
            if let source { _ = try await attributesOfItem(path: source) }
            // The item's attributes are not the parents'.
            var parents = context
            parents.options = OperationOptions(createsParents: true)
            try await perform(.create(parent), in: parents)
            return try await work()
        }
    }
}

extension Error {
    /// Whether the error is a 409 from the server (RFC 9110, section 15.5.10) whose cause is unknown.
    var isConflict: Bool { (self as? any FileProviderHTTPError)?.statusCode == 409 }
}
