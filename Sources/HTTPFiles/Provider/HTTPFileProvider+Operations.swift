import FileProviding

extension HTTPFileProvider {
    /// One request per operation, and those for missing parents of a directory; up- and downloads by reading and writing.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        switch operation {
        case .upload, .download, .modify, .fetch:
            return try await defaultPerform(operation, in: context)
        case .create(let path):
            guard !path.isRoot else { return nil }
        case .remove(let path):
            guard !path.isRoot else { throw rootIsKept(path) }
        case .copy(let source, let destination), .move(let source, let destination):
            try checkEnds(source: source, destination: destination)
        case .link: break
        }
        try await prepare()
        let request = try request(
            for: operation, overwrite: context.options.overwrite, attributes: context.options.attributes)
        if case .create(let path) = operation {
            try await withParents(of: path, in: context) { try await send(request, for: operation) }
        } else {
            try await send(request, for: operation)
        }
        return nil
    }

    /// The mistakes that can be seen before anything is sent: onto itself, into itself, the root.
    public func checkEnds(source: ItemPath, destination: ItemPath) throws {
        guard !source.isRoot else { throw rootIsKept(source) }
        guard source != destination else { throw FileError.sameItem(destination) }
        guard !destination.isRoot else { throw FileError.exists(destination) }
        guard !destination.isInside(source) else { throw FileError.intoItself(destination) }
    }

    /// The refusal to remove or move the provider's root.
    public func rootIsKept(_ path: ItemPath) -> any Error {
        cocoaError(path, code: .fileWriteNoPermission, reason: "the provider's root cannot be removed or moved")
    }
}
