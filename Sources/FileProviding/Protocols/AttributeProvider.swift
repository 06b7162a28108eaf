/// A provider that can change what an item carries besides its contents, without writing these anew.
public protocol AttributeProvider: FileProviderBasic {
    /// Gives an item these attributes and returns it as it is then. What is `nil` stays as it is.
    ///
    /// Times may be rounded to what the storage keeps.
    ///
    /// - Throws: `.featureUnsupported` for an attribute or an item that the storage has no way to change, before anything is
    ///   changed: symbolic links, media types; `.fileNoSuchFile`; `.fileWriteNoPermission` for someone else's item.
    @discardableResult
    func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject
}
