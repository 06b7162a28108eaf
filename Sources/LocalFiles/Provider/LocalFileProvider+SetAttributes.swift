import CPlatform
import FileProviding
import Glibc

extension LocalFileProvider: AttributeProvider {
    /// Sets times, to the file system's precision, and permission bits.
    @discardableResult
    public func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject {
        if attributes.contentType != nil { throw FileError.unsupported(path, "local files carry no media type") }
        try about(path, writing: true) {
            let item = Directory(owning: try root.open(path, flags: fp_o_path | (path.namesDirectory ? 0 : O_NOFOLLOW)))
            let status = try item.status()
            guard status.isDirectory || !path.namesDirectory else { throw Errno(ENOENT) }
            if status.isLink { throw FileError.unsupported(path, "a link has no attributes of its own") }
            // Change the open item, whatever has its name by now; an `O_PATH` descriptor allows no other way.
            let name = "/proc/self/fd/\(item.descriptor)"
            if let permissions = attributes.permissions { try systemCall { chmod(name, mode_t(permissions)) } }
            if let time = attributes.modificationTime {
                try systemCall { FileModificationTime.set(time, of: name) }
            }
        }
        return try self.attributes(path)
    }
}
