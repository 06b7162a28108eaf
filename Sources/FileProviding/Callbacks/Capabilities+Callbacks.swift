import Foundation

extension FileProviderSharing {
    /// Returns a public link to an item.
    @discardableResult
    public func publicLink(
        to path: ItemPath,
        completionHandler:
            @escaping @Sendable (
                _ link: URL?, _ attribute: FileObject?, _ expiration: Date?, _ error: (any Error)?
            ) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await publicLink(to: path)
        } finish: {
            let (link, error) = $0.parts
            completionHandler(link?.url, link?.file, link?.expiration, error)
        }
    }
}

extension ExtendedFileProvider {
    /// Returns a thumbnail of a file.
    @discardableResult
    public func thumbnailOfFile(
        path: ItemPath, dimension: PixelSize?,
        completionHandler: @escaping @Sendable (_ thumbnail: Thumbnail?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await thumbnailOfFile(path: path, dimension: dimension)
        }
    }

    /// Returns the properties that a file records about itself, in the order in which they are displayed.
    @discardableResult
    public func propertiesOfFile(
        path: ItemPath,
        completionHandler:
            @escaping @Sendable (
                _ propertiesDictionary: [String: String], _ keys: [String], _ error: (any Error)?
            ) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await propertiesOfFile(path: path)
        } finish: {
            let (properties, error) = $0.parts
            let pairs = properties?.properties.map { ($0.key, $0.value) } ?? []
            completionHandler(Dictionary(pairs) { first, _ in first }, properties?.keys ?? [], error)
        }
    }
}

extension FileProviderUndoable {
    /// Undoes the last operation.
    @discardableResult
    public func undo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        CallbackOperation(context: context, operation: nil).confirm(completionHandler) {
            try await undo()
        }
    }

    /// Redoes the operation that was undone last.
    @discardableResult
    public func redo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        CallbackOperation(context: context, operation: nil).confirm(completionHandler) {
            try await redo()
        }
    }
}

extension FileProviderUndoable where Self: TrashProvider {
    /// Moves an item to the trash, so that `undo` restores it.
    @discardableResult
    public func trashItem(
        path: ItemPath, completionHandler: @escaping @Sendable (_ item: TrashedItem?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await trashItem(path: path)
        }
    }
}

extension AttributeProvider {
    /// Sets attributes of an item and returns the item as it is afterwards.
    @discardableResult
    public func setAttributes(
        _ attributes: ItemAttributes, of path: ItemPath,
        completionHandler: @escaping @Sendable (_ file: FileObject?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await setAttributes(attributes, of: path)
        }
    }
}

extension FavoriteProvider {
    /// Returns the favorites anywhere below a directory.
    @discardableResult
    public func favorites(
        below path: ItemPath,
        completionHandler: @escaping @Sendable (_ files: [FileObject]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await favorites(below: path)
        }
    }

    /// Marks an item as a favorite, or removes the mark.
    @discardableResult
    public func setFavorite(_ isFavorite: Bool, path: ItemPath, completionHandler: @escaping SimpleCompletionHandler)
        -> Progress
    {
        CallbackOperation(context: context, operation: nil).confirm(completionHandler) {
            try await setFavorite(isFavorite, path: path)
        }
    }
}

extension AccountProvider {
    /// Returns the account that the credential belongs to.
    @discardableResult
    public func account(
        completionHandler: @escaping @Sendable (_ account: StorageAccount?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await account()
        }
    }
}

extension SpaceProvider {
    /// Returns the trees that the account can see.
    @discardableResult
    public func spaces(
        completionHandler: @escaping @Sendable (_ spaces: [StorageSpace]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await spaces()
        }
    }
}

extension ChecksumProvider {
    /// Returns a file's hash without transferring its bytes; neither hash nor error when the storage does not know it.
    @discardableResult
    public func checksum(
        path: ItemPath, algorithm: Checksum.Algorithm,
        completionHandler: @escaping @Sendable (_ checksum: Checksum?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await checksum(path: path, algorithm: algorithm)
        } finish: {
            completionHandler($0.parts.value ?? nil, $0.parts.error)
        }
    }
}

extension ChangeTokenProvider {
    /// Returns the directory's current change token.
    @discardableResult
    public func changeToken(
        path: ItemPath, completionHandler: @escaping @Sendable (_ token: ChangeToken?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await changeToken(path: path)
        }
    }
}
