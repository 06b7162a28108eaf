import FileProviding

extension MemoryFileProvider: AttributeProvider {
    /// Sets times and permissions; the version and tags change with them.
    @discardableResult
    public func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject {
        try Task.checkCancellation()
        if attributes.contentType != nil { throw FileError.unsupported(path, "media types are derived from names") }
        return try store.change { tree, _ in
            let node = try tree.find(path)
            if case .link = node.contents { throw FileError.unsupported(path, "a link has no attributes of its own") }
            guard attributes != ItemAttributes() else { return node.object(at: path) }
            tree.update(node.id) { node in
                node.modified = attributes.modificationTime ?? node.modified
                node.permissions = attributes.permissions ?? node.permissions
            }
            tree.tell(node.id) { .modified($0) }
            return tree[node.id].object(at: path)
        }
    }
}
