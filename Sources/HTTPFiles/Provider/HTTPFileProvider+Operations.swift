import FileProviding

extension HTTPFileProvider {
    /// Does the same as ``performByRequests(_:in:)``.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await performByRequests(operation, in: context)
    }

    /// Makes one request per operation, and those for missing parents of what it creates; uploads and downloads are
    /// done by reading and writing. A provider with an operation that takes more defines `perform`, and calls this for
    /// the others.
    ///
    /// No request is repeated after a lost reply. An item that has to be of a particular version is looked up before it
    /// is removed, unless it has a strong tag and ``honorsIfMatch(for:)`` says that the server looks; so is one whose
    /// path has a trailing slash, which only a directory has. Creating a directory that exists is fine.
    @discardableResult
    public func performByRequests(
        _ operation: FileOperationType, in context: OperationContext
    ) async throws -> FileObject? {
        switch operation {
        case .upload, .download, .modify, .fetch:
            return try await defaultPerform(operation, in: context)
        case .create(let path):
            if !path.isRoot { try await makeDirectory(path, by: operation, in: context) }
        case .remove(let path):
            guard !path.isRoot else { throw rootIsKept(path) }
            try await remove(try await existing(path), in: context)
        case .copy(let source, let destination):
            try await transfer(source, to: destination, in: context) { .copy(source: $0, destination: destination) }
        case .move(let source, let destination):
            try await transfer(source, to: destination, in: context) { .move(source: $0, destination: destination) }
        case .link(let path, _):
            try await make(path, by: operation, in: context)
        }
        return nil
    }

    private func transfer(
        _ source: ItemPath, to destination: ItemPath, in context: OperationContext,
        by operation: (ItemPath) -> FileOperationType
    ) async throws {
        let source = try await existing(source)
        try checkEnds(source: source, destination: destination)
        // A condition in the request would be about the source.
        try await confirmExpected(destination.asItem, context.options)
        try await make(destination, from: source, by: operation(source), in: context)
    }

    /// Returns the path of an item that is to be copied, moved or removed. A file has no trailing slash.
    private func existing(_ path: ItemPath) async throws -> ItemPath {
        try await prepare()
        let path = try await located(path)
        if path.namesDirectory, !path.isRoot, try await !attributesOfItem(path: path.asItem).isDirectory {
            throw FileError.noSuchFile(path, writing: true)
        }
        return path
    }

    private func make(
        _ path: ItemPath, from source: ItemPath? = nil, by operation: FileOperationType, in context: OperationContext
    ) async throws {
        try checkNamed(path)
        let request = try await changing(operation, context.options)
        try await withParents(of: path, from: source, in: context) { try await send(request, for: operation) }
    }

    /// Creates a directory. Whatever a server answers about one that exists, that is fine.
    private func makeDirectory(
        _ path: ItemPath, by operation: FileOperationType, in context: OperationContext
    ) async throws {
        do { try await make(path, by: operation, in: context) } catch  where error.isFileExists || error.isConflict {
            guard let existing = try? await currentAttributes(path.asItem), existing.isDirectory else { throw error }
        }
    }

    private func remove(_ path: ItemPath, in context: OperationContext) async throws {
        let (operation, expected) = (FileOperationType.remove(path), context.options.expecting)
        if context.options.onlyIfEmpty { try await requireEmpty(path) }
        var request = try await changing(operation, context.options)
        if !request.expect(expected) || !honorsIfMatch(for: operation) {
            try await confirmExpected(path, context.options)
        }
        do { try await send(request, for: operation) } catch  where expected != nil && error.isFileExists {
            throw FileError.changed(path)
        }
    }

    /// Throws if an item is a directory with something in it.
    private func requireEmpty(_ path: ItemPath) async throws {
        guard try await attributesOfItem(path: path).isDirectory else { return }
        guard try await listing(path: path).entries.first(where: { _ in true }) == nil else {
            throw FileError.notEmpty(path)
        }
    }

    /// Throws for an identifier where an item is to get a path.
    package func checkNamed(_ path: ItemPath) throws {
        guard !path.isIdentifier else { throw FileError.unsupported(path, "a new item needs a path") }
    }

    /// Returns the request for an operation that changes the tree, which is sent once.
    private func changing(_ operation: FileOperationType, _ options: OperationOptions) async throws -> HTTPRequest {
        try await prepare()
        var request = try request(for: operation, overwrite: options.overwrite, attributes: options.attributes)
        request.isSafeToRepeat = false
        return request
    }

    /// Checks for mistakes that are apparent before anything is sent: copying or moving an item onto itself or into
    /// itself, or the root.
    public func checkEnds(source: ItemPath, destination: ItemPath) throws {
        guard !source.isRoot else { throw rootIsKept(source) }
        guard source != destination else { throw FileError.sameItem(destination) }
        guard !destination.isRoot else { throw FileError.exists(destination) }
        guard !destination.isInside(source) else { throw FileError.intoItself(destination) }
    }

    /// Returns the error for an attempt to remove or move the provider's root.
    public func rootIsKept(_ path: ItemPath) -> any Error {
        cocoaError(path, code: .fileWriteNoPermission, reason: "the provider's root cannot be removed or moved")
    }
}
