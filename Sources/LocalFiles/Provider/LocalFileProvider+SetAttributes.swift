import CPlatform
import FileProviding
import Glibc

extension LocalFileProvider: AttributeProvider {
    /// Times to the file system's precision; permission bits.
    @discardableResult
    public func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject {
        if attributes.contentType != nil { throw FileError.unsupported(path, "local files carry no media type") }
        try about(path, writing: true) {
            let item = Directory(owning: try root.open(path, flags: fp_o_path | O_NOFOLLOW))
            if try item.status().isLink { throw FileError.unsupported(path, "a link has no attributes of its own") }
            // What is open is changed, whatever has its name by now; a descriptor for paths takes no other way.
            let name = "/proc/self/fd/\(item.descriptor)"
            if let permissions = attributes.permissions { try systemCall { chmod(name, mode_t(permissions)) } }
            if let time = attributes.modificationTime {
                try systemCall { utimensat(AT_FDCWD, name, modificationTimes(time), 0) }
            }
        }
        return try self.attributes(path)
    }
}
