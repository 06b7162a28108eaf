/// A provider that can change an item's attributes without writing its contents again.
public protocol AttributeProvider: FileProviderBasic {
    /// Sets attributes of an item and returns the item as it is afterwards. Attributes that are `nil` stay as they are.
    ///
    /// Times may be rounded to the storage's precision.
    ///
    /// - Throws: `.featureUnsupported` for an attribute or an item that the storage has no way to change (symbolic
    ///   links, media types), before anything is changed; `.fileNoSuchFile`; `.fileWriteNoPermission` for an item owned
    ///   by someone else.
    @discardableResult
    func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject
}
