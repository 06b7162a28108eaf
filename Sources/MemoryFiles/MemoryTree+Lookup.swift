import FileProviding
import Foundation

extension MemoryTree {
    private static let mostLinks = 40

    /// Returns the item at `path`, following links on the way and, if requested, at the end; `nil` when there is none.
    ///
    /// - Throws: permission denied for a link that leaves the root, and for links that form a cycle.
    func locate(_ path: ItemPath, followingLast: Bool = false) throws -> MemoryNode.ID? {
        if path.isIdentifier { return identified(path) }
        var pending = Array(path.components.map { $0.bytes[...] }.reversed())
        var here = Self.rootID
        var linksLeft = Self.mostLinks
        while let name = pending.popLast() {
            if name.isEmpty || name.elementsEqual(".".utf8) { continue }
            if name.elementsEqual("..".utf8) {
                guard let parent = self[here].parent else { throw Self.leavesRoot(path) }
                here = parent
                continue
            }
            guard let child = self[here].entries?[ItemName(unchecked: Array(name))] else { return nil }
            guard case .link(let target) = self[child].contents, followingLast || !pending.isEmpty else {
                here = child
                continue
            }
            linksLeft -= 1
            guard linksLeft > 0 else { throw Self.goesRound(path) }
            if target.bytes.first == UInt8(ascii: "/") { here = Self.rootID }
            pending.append(contentsOf: target.bytes.split(separator: UInt8(ascii: "/")).reversed())
        }
        return path.namesDirectory && !self[here].isDirectory ? nil : here
    }

    /// Returns the item at `path`. Throws "no such file" when there is none; otherwise as ``locate(_:followingLast:)``.
    func find(_ path: ItemPath, followingLast: Bool = false) throws -> MemoryNode {
        guard let id = try locate(path, followingLast: followingLast) else { throw FileError.noSuchFile(path) }
        return self[id]
    }

    /// Returns the directory at `path`, following links.
    func findDirectory(_ path: ItemPath) throws -> MemoryNode {
        let node = try find(path.asItem, followingLast: true)
        guard node.isDirectory else { throw FileError.notADirectory(path) }
        return node
    }

    /// Returns where an item with this path is or would be: an existing directory that may be changed, and a name.
    func place(for path: ItemPath) throws -> (directory: MemoryNode.ID, name: ItemName) {
        guard let parent = path.parent, let name = path.lastComponent else {
            throw cocoaError(path, code: .fileWriteInvalidFileName, reason: "nothing can be put there")
        }
        guard let id = try locate(parent.asItem, followingLast: true) else {
            throw FileError.noSuchFile(parent, writing: true)
        }
        guard self[id].isDirectory else { throw FileError.notADirectory(parent) }
        try checkWritable(id, for: path)
        return (id, name)
    }

    /// - Throws: permission denied when the directory's entries may not be changed.
    func checkWritable(_ directory: MemoryNode.ID, for path: ItemPath) throws {
        guard self[directory].permissions & 0o200 != 0 else {
            throw cocoaError(path, code: .fileWriteNoPermission, underlying: POSIXError(.EACCES))
        }
    }

    /// Returns an item by the identifier that ``FileObject/fileID`` reports: `id:17`.
    private func identified(_ path: ItemPath) -> MemoryNode.ID? {
        let text = path.description
        guard text.hasPrefix("id:"), let id = MemoryNode.ID(text.dropFirst(3)), nodes[id] != nil else { return nil }
        return self.path(of: id) == nil ? nil : id
    }

    private static func leavesRoot(_ path: ItemPath) -> CocoaError {
        cocoaError(
            path, code: .fileReadNoPermission, reason: "a symbolic link leaves the root", underlying: POSIXError(.EXDEV)
        )
    }

    private static func goesRound(_ path: ItemPath) -> CocoaError {
        cocoaError(
            path, code: .fileReadUnknown, reason: "too many levels of symbolic links", underlying: POSIXError(.ELOOP))
    }
}
