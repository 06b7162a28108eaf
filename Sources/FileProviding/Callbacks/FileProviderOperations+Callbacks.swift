import Foundation

extension FileProviderOperations {
    /// Creates the directory `folder` in `path`.
    @discardableResult
    public func create(folder: ItemName, at path: ItemPath, completionHandler: @escaping SimpleCompletionHandler)
        -> Progress
    {
        start(.create(path.appending(folder)), completionHandler: completionHandler)
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

    /// Removes an item, a directory with everything below it.
    @discardableResult
    public func removeItem(path: ItemPath, completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        start(.remove(path), completionHandler: completionHandler)
    }

    /// Copies a local file to the provider. The progress counts bytes.
    ///
    /// A `file:` URL cannot hold a name that is not UTF-8; the form with a ``LocalPath`` can.
    @discardableResult
    public func copyItem(
        localFile: URL, to destination: ItemPath, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        guard let file = LocalPath(localFile) else { return refuse(localFile, completionHandler) }
        return start(.upload(file, to: destination), overwrite: overwrite, completionHandler: completionHandler)
    }

    /// Copies a file of the provider to this machine. An existing local file is an error.
    @discardableResult
    public func copyItem(
        path: ItemPath, toLocalURL: URL, completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        guard let file = LocalPath(toLocalURL) else { return refuse(toLocalURL, completionHandler) }
        return start(.download(path, to: file), completionHandler: completionHandler)
    }

    private func start(
        _ operation: FileOperationType, overwrite: Bool = false, completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        let callback = CallbackOperation(context: context, operation: operation)
        let progress = callback.operationProgress
        return callback.start {
            try await run(operation, options: OperationOptions(overwrite: overwrite), progress: progress)
        } finish: {
            completionHandler($0.parts.error)
        }
    }

    private func refuse(_ url: URL, _ completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            throw cocoaError(withoutSecrets(url).absoluteString, code: .fileReadUnsupportedScheme)
        } finish: { (result: Result<Void, any Error>) in
            completionHandler(result.parts.error)
        }
    }
}

extension FileProviderSymbolicLink {
    /// Creates a symbolic link at `path`.
    @discardableResult
    public func create(
        symbolicLink path: ItemPath, withDestinationPath destination: LinkTarget,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        CallbackOperation(context: context, operation: .link(path, target: destination)).start {
            try await create(symbolicLink: path, withDestination: destination)
        } finish: {
            completionHandler($0.parts.error)
        }
    }

    /// What a symbolic link points to.
    @discardableResult
    public func destination(
        ofSymbolicLink path: ItemPath,
        completionHandler: @escaping @Sendable (_ destination: LinkTarget?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await destination(ofSymbolicLink: path)
        } finish: {
            completionHandler($0.parts.value, $0.parts.error)
        }
    }
}
