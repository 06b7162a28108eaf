/// A provider on which users mark items as favorites.
public protocol FavoriteProvider: FileProviderBasic {
    /// Returns the favorites anywhere below a directory, in no particular order.
    func favorites(below path: ItemPath) async throws -> [FileObject]
    /// Marks an item as a favorite, or removes the mark. Succeeds if the item is already in the requested state.
    func setFavorite(_ isFavorite: Bool, path: ItemPath) async throws
}
