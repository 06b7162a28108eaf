import Foundation

extension FileProviderSharing {
    /// A public link to an item.
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
    /// A picture of a file's contents.
    @discardableResult
    public func thumbnailOfFile(
        path: ItemPath, dimension: PixelSize?,
        completionHandler: @escaping @Sendable (_ thumbnail: Thumbnail?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await thumbnailOfFile(path: path, dimension: dimension)
        }
    }

    /// What a file says of itself, and the names in the order in which they are shown.
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
    /// Takes the last operation back.
    @discardableResult
    public func undo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        CallbackOperation(context: context, operation: nil).confirm(completionHandler) {
            try await undo()
        }
    }

    /// Does again what was taken back last.
    @discardableResult
    public func redo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        CallbackOperation(context: context, operation: nil).confirm(completionHandler) {
            try await redo()
        }
    }
}

extension FileProviderUndoable where Self: TrashProvider {
    /// Moves an item to the trash, so that `undo` brings it back.
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
    /// Gives an item attributes and hands over the item as it is then.
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
    /// The marked items anywhere below a directory.
    @discardableResult
    public func favorites(
        below path: ItemPath,
        completionHandler: @escaping @Sendable (_ files: [FileObject]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await favorites(below: path)
        }
    }

    /// Marks an item, or takes its mark away.
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
    /// The account that the server takes the program for.
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
    /// The trees that the account can see.
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
    /// A file's hash without its bytes travelling; neither hash nor error where the storage does not know it.
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
    /// The directory's mark now.
    @discardableResult
    public func changeToken(
        path: ItemPath, completionHandler: @escaping @Sendable (_ token: ChangeToken?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await changeToken(path: path)
        }
    }
}
