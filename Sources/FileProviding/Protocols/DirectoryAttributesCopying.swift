/// A storage in which a directory can get everything that another one has besides its members.
package protocol DirectoryAttributesCopying: FileProvider {
    /// Gives a directory the owner, permissions, access list, extended attributes and modification time of another one,
    /// as far as this process may set them.
    func copyAttributes(ofDirectory source: ItemPath, to target: ItemPath) async throws
}
