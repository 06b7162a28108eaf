import Foundation

extension FileProviderBasic {
    /// Returns a directory's entries. When a later page fails, the handler receives the entries before it and the
    /// error. The progress counts entries.
    @discardableResult
    public func contentsOfDirectory(
        path: ItemPath,
        completionHandler: @escaping @Sendable (_ contents: [FileObject], _ error: (any Error)?) -> Void
    ) -> Progress {
        collect(listing(path: path), foundItemHandler: nil, completionHandler: completionHandler)
    }

    /// Returns a directory's entries in the given order. When a later page fails, the handler receives the entries
    /// before it, sorted, and the error.
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

    /// Returns the matching items, and passes on each one as it is found. When a later page fails, the handler receives
    /// what was found before it and the error.
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

    /// Returns one item, or the error.
    @discardableResult
    public func attributesOfItem(
        path: ItemPath,
        completionHandler: @escaping @Sendable (_ attributes: FileObject?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await attributesOfItem(path: path)
        }
    }

    /// Returns the storage's capacity, or `nil` where the storage does not report it or could not be reached.
    @discardableResult
    public func storageProperties(
        completionHandler: @escaping @Sendable (_ volumeInfo: VolumeObject?) -> Void
    ) -> Progress {
        callback().start {
            try await storageProperties()
        } finish: {
            completionHandler($0.parts.value ?? nil)
        }
    }

    /// Returns whether the storage responds.
    @discardableResult
    public func isReachable(
        completionHandler: @escaping @Sendable (_ success: Bool, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().start {
            try await checkReachable()
        } finish: {
            completionHandler($0.parts.error == nil, $0.parts.error)
        }
    }

    /// Collects pages; when a page fails, hands over the entries before it together with the error.
    private func collect(
        _ listing: DirectoryListing, foundItemHandler: (@Sendable (FileObject) -> Void)?,
        completionHandler: @escaping @Sendable ([FileObject], (any Error)?) -> Void
    ) -> Progress {
        let operation = callback()
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
