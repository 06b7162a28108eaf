import FileProviding

extension HTTPFileProvider {
    /// Does a request's work, and once more with the missing parents in place where that was what was wrong and
    /// `createsParents` asks for it.
    ///
    /// - Parameters:
    ///   - path: what the work makes.
    ///   - source: what it is made from, which has to be there before anything is made for it.
    ///   - isRepeatable: whether the work can be done twice; a stream that gives its bytes once cannot be sent again.
    ///   - context: whether parents are wanted.
    ///   - work: the requests.
    @discardableResult
    public func withParents<Result>(
        of path: ItemPath, from source: ItemPath? = nil, isRepeatable: Bool = true, in context: OperationContext,
        _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch  where error.isConflict && context.options.createsParents && isRepeatable {
            // Said of a parent that was missing, and that somebody else has made by now.
            return try await work()
        } catch  where error.isNoSuchFile && context.options.createsParents && isRepeatable {
            guard let parent = path.parent else { throw error }
            if let source { _ = try await attributesOfItem(path: source) }
            // What the item is to carry is not theirs.
            var parents = context
            parents.options = OperationOptions(createsParents: true)
            try await perform(.create(parent), in: parents)
            return try await work()
        }
    }
}

extension Error {
    /// Whether a server has answered 409 (RFC 9110, section 15.5.10), and nobody has found out why.
    fileprivate var isConflict: Bool { (self as? any FileProviderHTTPError)?.statusCode == 409 }
}
