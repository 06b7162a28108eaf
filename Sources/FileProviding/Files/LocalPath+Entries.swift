import Glibc

extension LocalPath {
    /// Returns the names in a local directory, in no order; none for a missing one.
    package func entryNames() throws -> [ItemName] {
        guard let stream = withCString({ opendir($0) }) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw posixError(self, errno, writing: false)
        }
        defer { closedir(stream) }
        var names: [ItemName] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let name = try? ItemName(validating: bytes) { names.append(name) }
        }
        guard errno == 0 else { throw posixError(self, errno, writing: false) }
        return names
    }
}
