import Foundation

extension FileProviderOperations {
    /// Creates the directory `folder` in `path`.
    @discardableResult
    public func create(folder: ItemName, at path: ItemPath, completionHandler: @escaping SimpleCompletionHandler)
        -> Progress
    {
        start(.create(path.appending(folder)), completionHandler: completionHandler)
    }

    /// Creates a directory and, with `createsParents`, its missing parents.
    @discardableResult
    public func createDirectory(
        path: ItemPath, createsParents: Bool = false, completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        start(.create(path), createsParents: createsParents, completionHandler: completionHandler)
    }

    /// Copies an item within the provider.
    @discardableResult
    public func copyItem(
        path: ItemPath, to destination: ItemPath, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        start(.copy(source: path, destination: destination), overwrite: overwrite, completionHandler: completionHandler)
    }

    /// Moves or renames an item within the provider.
    @discardableResult
    public func moveItem(
        path: ItemPath, to destination: ItemPath, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        start(.move(source: path, destination: destination), overwrite: overwrite, completionHandler: completionHandler)
    }

    /// Removes an item; a directory with everything below it.
    @discardableResult
    public func removeItem(path: ItemPath, completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        start(.remove(path), completionHandler: completionHandler)
    }

    /// Copies a local file to the provider. The progress counts bytes.
    ///
    /// A `file:` URL cannot hold a name that is not UTF-8; the overload with a ``LocalPath`` can.
    @discardableResult
    public func copyItem(
        localFile: URL, to destination: ItemPath, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        guard let file = LocalPath(localFile) else { return refuse(localFile, completionHandler) }
        return copyItem(
            localFile: file, to: destination, overwrite: overwrite, completionHandler: completionHandler)
    }

    /// Copies a local file to the provider. The progress counts bytes.
    @discardableResult
    public func copyItem(
        localFile: LocalPath, to destination: ItemPath, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        start(.upload(localFile, to: destination), overwrite: overwrite, completionHandler: completionHandler)
    }

    /// Copies a file from the provider to this machine. An existing local file is an error.
    @discardableResult
    public func copyItem(
        path: ItemPath, toLocalURL: URL, completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        guard let file = LocalPath(toLocalURL) else { return refuse(toLocalURL, completionHandler) }
        return copyItem(path: path, toLocalFile: file, completionHandler: completionHandler)
    }

    /// Copies a file from the provider to this machine.
    @discardableResult
    public func copyItem(
        path: ItemPath, toLocalFile file: LocalPath, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        start(.download(path, to: file), overwrite: overwrite, completionHandler: completionHandler)
    }

    private func start(
        _ operation: FileOperationType, overwrite: Bool = false, createsParents: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        let options = OperationOptions(overwrite: overwrite, createsParents: createsParents)
        let callback = self.callback(for: operation)
        let progress = callback.operationProgress
        return callback.confirm(completionHandler) {
            try await run(operation, options: options, progress: progress)
        }
    }

    private func refuse(_ url: URL, _ completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        callback().start {
            throw cocoaError(withoutSecrets(url).absoluteString, code: .fileReadUnsupportedScheme)
        } finish: { (result: Result<Void, any Error>) in
            completionHandler(result.parts.error)
        }
    }
}
