import FileProviding
import Foundation

extension MemoryTree {
    /// Checks a write as far as possible before its bytes have arrived: everything except whether they fit.
    func checkWrite(_ path: ItemPath, length: Int64?, options: OperationOptions) throws {
        guard !path.isRoot, !path.namesDirectory else { throw FileError.isADirectory(path, writing: true) }
        if let name = path.lastComponent { try Self.checkLength(of: name, in: path) }
        guard let id = try locate(path) else {
            if options.expecting != nil { throw FileError.changed(path) }
            if !options.createsParents { _ = try place(for: path) }
            return try checkSpace(for: length ?? 0, at: path)
        }
        _ = try place(for: path)
        guard !self[id].isDirectory else { throw FileError.isADirectory(path, writing: true) }
        guard options.overwrite else { throw FileError.exists(path) }
        try Self.check(options.expecting, against: self[id], path)
        try checkSpace(for: (length ?? 0) - self[id].size, at: path)
    }

    /// Puts a complete file under its name. A link of that name is replaced, not followed.
    mutating func write(
        _ path: ItemPath, _ data: Data, options: OperationOptions, now: FileTime
    ) throws -> FileObject {
        try checkWrite(path, length: Int64(data.count), options: options)
        if options.createsParents { try createParents(of: path, now: now) }
        let old = try locate(path)
        let id: MemoryNode.ID
        if let old, self[old].data != nil {
            id = old
            update(id) { $0.contents = .file(data) }
        } else {
            let (directory, name) = try place(for: path)
            clear(old, now: now)
            id = add(.file(data), permissions: 0o644, now: now)
            attach(id, as: name, in: directory, now: now)
        }
        tell(id) { old == nil ? .created($0) : .modified($0) }
        let attributes = options.attributes
        update(id) { node in
            node.modified = attributes.modificationTime ?? now
            node.permissions = attributes.permissions ?? node.permissions
            node.contentType = attributes.contentType ?? node.contentType
        }
        return self[id].object(at: path)
    }

    /// Returns the file at `path`, following links.
    func readable(_ path: ItemPath) throws -> (file: MemoryNode, data: Data) {
        let node = try find(path, followingLast: true)
        guard let data = node.data else { throw FileError.isADirectory(path) }
        guard node.permissions & 0o400 != 0 else {
            throw cocoaError(path, code: .fileReadNoPermission, underlying: POSIXError(.EACCES))
        }
        return (node, data)
    }
}
