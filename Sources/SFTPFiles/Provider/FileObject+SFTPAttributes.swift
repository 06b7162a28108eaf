import FileProviding

extension FileObject {
    /// Creates an item as the server describes it.
    init(name: ItemName, in parent: ItemPath, _ attributes: SFTPAttributes) {
        self.init(name: name, in: parent, type: attributes.type)
        fill(attributes)
    }

    /// Creates an item as the server describes it.
    init(path: ItemPath, _ attributes: SFTPAttributes) {
        self.init(path: path, type: attributes.type)
        fill(attributes)
    }

    private mutating func fill(_ attributes: SFTPAttributes) {
        let flags = attributes.flags
        if flags.contains(.size), type != .directory { size = Int64(clamping: attributes.size) }
        if flags.contains(.times) { modificationTime = FileTime(seconds: Int64(attributes.modified)) }
        setDetails { details in
            if flags.contains(.times) { details.accessTime = FileTime(seconds: Int64(attributes.accessed)) }
            if flags.contains(.permissions) { details.permissions = UInt16(attributes.mode & 0o7777) }
            if flags.contains(.owner) {
                details.owner = String(attributes.user)
                details.group = String(attributes.group)
            }
        }
    }
}
