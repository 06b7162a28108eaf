import Foundation

extension FileProviderBasic {
    /// A directory's entries. When a later page fails, the handler gets the entries before it and the error.
    /// The progress counts entries.
    @discardableResult
    public func contentsOfDirectory(
        path: ItemPath,
        completionHandler: @escaping @Sendable (_ contents: [FileObject], _ error: (any Error)?) -> Void
    ) -> Progress {
        collect(listing(path: path), foundItemHandler: nil, completionHandler: completionHandler)
    }

    /// A directory's entries in an order. When a later page fails, the handler gets the entries before it, sorted, and the
    /// error.
    @discardableResult
    public func contentsOfDirectory(
        path: ItemPath, sortedBy order: FileObjectSorting?,
        completionHandler: @escaping @Sendable (_ contents: [FileObject], _ error: (any Error)?) -> Void
    ) -> Progress {
        collect(listing(path: path), foundItemHandler: nil) { contents, error in
            var contents = contents
            order?.sort(&contents)
            completionHandler(contents, error)
        }
    }

    /// The items that match, each also as it is found. When a later page fails, the handler gets what was found before.
    @discardableResult
    public func searchFiles(
        path: ItemPath, recursive: Bool, query: FileQuery,
        foundItemHandler: (@Sendable (FileObject) -> Void)?,
        completionHandler: @escaping @Sendable (_ files: [FileObject], _ error: (any Error)?) -> Void
    ) -> Progress {
        collect(
            search(path: path, recursive: recursive, query: query), foundItemHandler: foundItemHandler,
            completionHandler: completionHandler)
    }

    /// One item, or the error.
    @discardableResult
    public func attributesOfItem(
        path: ItemPath,
        completionHandler: @escaping @Sendable (_ attributes: FileObject?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await attributesOfItem(path: path)
        }
    }

    /// The storage's capacity, or `nil` where it does not tell or could not be asked.
    @discardableResult
    public func storageProperties(
        completionHandler: @escaping @Sendable (_ volumeInfo: VolumeObject?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await storageProperties()
        } finish: {
            completionHandler($0.parts.value ?? nil)
        }
    }

    /// Whether the storage answers.
    @discardableResult
    public func isReachable(
        completionHandler: @escaping @Sendable (_ success: Bool, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await checkReachable()
        } finish: {
            completionHandler($0.parts.error == nil, $0.parts.error)
        }
    }

    /// Collects pages; a failure after some of them is handed over together with them.
    private func collect(
        _ listing: DirectoryListing, foundItemHandler: (@Sendable (FileObject) -> Void)?,
        completionHandler: @escaping @Sendable ([FileObject], (any Error)?) -> Void
    ) -> Progress {
        let operation = CallbackOperation(context: context, operation: nil)
        let (queue, counter) = (context.dispatchQueue, operation.operationProgress)
        let found = Locked<[FileObject]>([])
        return operation.start {
            for try await page in listing {
                found.withLock { $0.append(contentsOf: page) }
                counter.advance(by: Int64(page.count))
                if let foundItemHandler { queue.async { page.forEach(foundItemHandler) } }
            }
        } finish: {
            completionHandler(found.withLock { $0 }, $0.parts.error)
        }
    }
}
