/// A provider that has symbolic links.
public protocol FileProviderSymbolicLink: FileProviderOperations {
    /// Returns the target of the link at `path`, exactly as stored: it may be relative or lead nowhere.
    ///
    /// - Throws: `.fileReadNoSuchFile`; `.fileReadUnknown` when the item is not a symbolic link.
    func destination(ofSymbolicLink path: ItemPath) async throws -> LinkTarget
}

extension FileProviderSymbolicLink {
    /// Creates a symbolic link at `path`. The target is stored as it is; it need not exist.
    ///
    /// - Throws: `.fileWriteFileExists`; `.fileNoSuchFile` for a missing parent.
    public func create(symbolicLink path: ItemPath, withDestinationPath target: LinkTarget) async throws {
        try await run(.link(path, target: target))
    }
}
