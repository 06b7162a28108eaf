import FileProviding

extension SFTPFileProvider: AttributeProvider {
    /// Sends SETSTAT (section 6.9): times in whole seconds, permission bits.
    @discardableResult
    public func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject {
        if attributes.contentType != nil { throw FileError.unsupported(path, "SFTP has no media types") }
        if let time = attributes.modificationTime, SFTPAttributes.seconds(of: time) == nil {
            throw FileError.unsupported(path, "SFTP carries times from 1970 to 2106")
        }
        let tree = try await tree()
        let present = try await tree.attributes(path)
        // SETSTAT would follow it.
        if present.isSymLink { throw FileError.unsupported(path, "a link has no attributes of its own") }
        let wanted = SFTPAttributes(
            permissions: attributes.permissions, modificationTime: attributes.modificationTime)
        guard !wanted.flags.isEmpty else { return present }
        let place = try await tree.place(path)
        try await about(path, writing: true) { try await tree.client.confirm(.setstat(place, wanted)) }
        return try await tree.attributes(path)
    }
}
