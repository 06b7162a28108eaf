import Foundation

extension FavoriteProvider {
    /// Returns the favorites anywhere below a directory.
    @discardableResult
    public func favorites(
        below path: ItemPath,
        completionHandler: @escaping @Sendable (_ files: [FileObject]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await favorites(below: path)
        }
    }

    /// Marks an item as a favorite, or removes the mark.
    @discardableResult
    public func setFavorite(_ isFavorite: Bool, path: ItemPath, completionHandler: @escaping SimpleCompletionHandler)
        -> Progress
    {
        callback().confirm(completionHandler) {
            try await setFavorite(isFavorite, path: path)
        }
    }
}
