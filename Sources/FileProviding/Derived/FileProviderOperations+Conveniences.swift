extension FileProviderOperations {
    /// Creates the directory `folder` in `path`. An existing directory is fine; a file of that name is an error.
    @discardableResult
    public func create(folder: ItemName, at path: ItemPath) async throws -> FileObject? {
        try await run(.create(path.appending(folder)))
    }

    /// Creates a directory and, with `createsParents`, its missing parents.
    @discardableResult
    public func createDirectory(path: ItemPath, createsParents: Bool = false) async throws -> FileObject? {
        try await run(.create(path), options: OperationOptions(createsParents: createsParents))
    }

    /// Copies an item within the provider; a directory with everything below it.
    @discardableResult
    public func copyItem(path: ItemPath, to destination: ItemPath, overwrite: Bool = false) async throws -> FileObject?
    {
        try await run(.copy(source: path, destination: destination), options: OperationOptions(overwrite: overwrite))
    }

    /// Moves or renames an item within the provider.
    @discardableResult
    public func moveItem(path: ItemPath, to destination: ItemPath, overwrite: Bool = false) async throws -> FileObject?
    {
        try await run(.move(source: path, destination: destination), options: OperationOptions(overwrite: overwrite))
    }

    /// Removes an item; a directory with everything below it. Symbolic links inside are removed, never followed.
    public func removeItem(path: ItemPath) async throws {
        try await run(.remove(path))
    }

    /// Copies a local file to the provider; `progress` counts its bytes.
    @discardableResult
    public func copyItem(
        localFile: LocalPath, to destination: ItemPath, overwrite: Bool = false,
        progress: OperationProgress = OperationProgress()
    ) async throws -> FileObject? {
        let options = OperationOptions(overwrite: overwrite)
        return try await run(.upload(localFile, to: destination), options: options, progress: progress)
    }

    /// Copies a file from the provider to this machine, with its modification time. It appears under its name complete
    /// or not at all. `progress` counts its bytes.
    public func copyItem(
        path: ItemPath, toLocalFile file: LocalPath, overwrite: Bool = false,
        progress: OperationProgress = OperationProgress()
    ) async throws {
        let options = OperationOptions(overwrite: overwrite)
        try await run(.download(path, to: file), options: options, progress: progress)
    }
}
