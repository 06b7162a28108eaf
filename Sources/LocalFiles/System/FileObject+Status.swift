import FileProviding

extension FileObject {
    /// Creates an item as the kernel describes it.
    ///
    /// - Parameter link: the target, if it is a link.
    init(name: ItemName, in parent: ItemPath, status: Status, link: LinkTarget? = nil) {
        self.init(name: name, in: parent, type: status.type)
        fill(from: status, link: link)
    }

    init(path: ItemPath, status: Status, link: LinkTarget? = nil) {
        self.init(path: path, type: status.type)
        fill(from: status, link: link)
    }

    private mutating func fill(from status: Status, link: LinkTarget?) {
        if !status.isDirectory { size = status.size }
        if status.isRegularFile { etag = status.etag }
        modificationTime = FileTime(nanoseconds: status.modified)
        creationTime = status.created == .min ? nil : FileTime(nanoseconds: status.created)
        setDetails { details in
            details.fileID = status.fileID
            details.accessTime = FileTime(nanoseconds: status.accessed)
            details.permissions = UInt16(status.permissions)
            details.owner = AccountNames.shared.user(status.user)
            details.group = AccountNames.shared.group(status.group)
            details.linkCount = Int(status.linkCount)
            details.linkTarget = link
        }
    }
}
