/// A storage that can tell before a move whether it would only rename: a plan says then what the move will do.
package protocol RenameForeseeing: FileProvider {
    /// Returns whether an item can get that path without being copied.
    ///
    /// - Throws: `.fileNoSuchFile` for a missing item, or a missing directory of the new path.
    func canRename(_ source: ItemPath, to path: ItemPath) async throws -> Bool
}
