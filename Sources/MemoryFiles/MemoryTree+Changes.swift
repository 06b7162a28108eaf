import FileProviding
import Foundation

extension MemoryTree {
    /// Creates a directory; an existing one is fine.
    mutating func createDirectory(_ path: ItemPath, options: OperationOptions, now: FileTime) throws -> FileObject {
        if let id = try locate(path), self[id].isDirectory { return self[id].object(at: path) }
        if options.createsParents { try createParents(of: path, now: now) }
        let (directory, name) = try place(for: path)
        try checkFree(name, in: directory, path)
        try Self.checkLength(of: name, in: path)
        let id = add(.directory([:]), permissions: options.attributes.permissions ?? 0o755, now: now)
        attach(id, as: name, in: directory, now: now)
        if let time = options.attributes.modificationTime { update(id) { $0.modified = time } }
        tell(id) { .created($0) }
        return self[id].object(at: path)
    }

    /// Creates a symbolic link.
    mutating func createLink(
        _ path: ItemPath, target: LinkTarget, options: OperationOptions, now: FileTime
    ) throws -> FileObject {
        if options.createsParents { try createParents(of: path, now: now) }
        let (directory, name) = try place(for: path)
        try checkFree(name, in: directory, path)
        try Self.checkLength(of: name, in: path)
        let id = add(.link(target), permissions: 0o777, now: now)
        attach(id, as: name, in: directory, now: now)
        tell(id) { .created($0) }
        return self[id].object(at: path)
    }

    /// Removes an item with everything below it, or nothing at all.
    mutating func remove(_ path: ItemPath, options: OperationOptions, now: FileTime) throws {
        let node = try find(path)
        try Self.check(options.expecting, against: node, path)
        if options.onlyIfEmpty, subtree(node.id).count > 1 { throw FileError.notEmpty(path) }
        try checkRemovable(node, at: path)
        tell(node.id) { .removed($0) }
        detach(node.id, now: now)
        discard(node.id)
    }

    /// Copies an item with everything below it.
    mutating func copy(
        _ source: ItemPath, to destination: ItemPath, options: OperationOptions, now: FileTime
    ) throws -> FileObject {
        let original = try find(source)
        let slot = try prepare(destination, for: original, options: options, now: now)
        let size = subtree(original.id).reduce(0) { $0 + $1.size }
        try checkSpace(for: size - (slot.occupant.map { self[$0].size } ?? 0), at: destination)
        clear(slot.occupant, now: now)
        let id = clone(original, now: now)
        attach(id, as: slot.name, in: slot.directory, now: now)
        update(id) { $0.modified = original.modified }
        tell(id) { slot.occupant == nil ? .created($0) : .modified($0) }
        return self[id].object(at: destination)
    }

    /// Moves an item.
    mutating func move(
        _ source: ItemPath, to destination: ItemPath, options: OperationOptions, now: FileTime
    ) throws -> FileObject {
        let node = try find(source)
        guard let directory = node.parent, let before = self.path(of: node.id) else {
            throw cocoaError(source, code: .fileWriteNoPermission, reason: "the root cannot be moved")
        }
        try checkWritable(directory, for: source)
        let slot = try prepare(destination, for: node, options: options, now: now)
        clear(slot.occupant, now: now)
        detach(node.id, now: now)
        attach(node.id, as: slot.name, in: slot.directory, now: now)
        tell(node.id) { .moved(from: before, to: $0) }
        return self[node.id].object(at: destination)
    }

    /// Creates the directories above `path` that are missing.
    mutating func createParents(of path: ItemPath, now: FileTime) throws {
        guard let parent = path.parent, !parent.isRoot, try locate(parent.asItem, followingLast: true) == nil else {
            return
        }
        _ = try createDirectory(parent, options: OperationOptions(createsParents: true), now: now)
    }

    // MARK: Checks

    /// The destination of a copied or moved item, and what it replaces there.
    private struct Slot {
        var directory: MemoryNode.ID
        var name: ItemName
        var occupant: MemoryNode.ID?
    }

    private mutating func prepare(
        _ destination: ItemPath, for node: MemoryNode, options: OperationOptions, now: FileTime
    ) throws -> Slot {
        if options.createsParents { try createParents(of: destination, now: now) }
        let (directory, name) = try place(for: destination)
        try Self.checkLength(of: name, in: destination)
        guard !isInside(directory, node.id) else { throw FileError.intoItself(destination) }
        guard let occupant = self[directory].entries?[name] else {
            guard options.expecting == nil else { throw FileError.changed(destination) }
            return Slot(directory: directory, name: name, occupant: nil)
        }
        guard occupant != node.id else { throw FileError.sameItem(destination) }
        guard options.overwrite else { throw FileError.exists(destination) }
        if self[occupant].isDirectory { throw FileError.isADirectory(destination, writing: true) }
        if node.isDirectory { throw FileError.notADirectory(destination) }
        try Self.check(options.expecting, against: self[occupant], destination)
        return Slot(directory: directory, name: name, occupant: occupant)
    }

    /// Removes a file that is being replaced.
    mutating func clear(_ occupant: MemoryNode.ID?, now: FileTime) {
        guard let occupant else { return }
        detach(occupant, now: now)
        discard(occupant)
    }

    private mutating func clone(_ original: MemoryNode, now: FileTime) -> MemoryNode.ID {
        let entries = original.entries ?? [:]
        let contents = original.isDirectory ? .directory([:]) : original.contents
        let id = add(contents, permissions: original.permissions, now: now)
        for (name, child) in entries { attach(clone(self[child], now: now), as: name, in: id, now: now) }
        update(id) {
            $0.modified = original.modified
            $0.contentType = original.contentType
        }
        return id
    }

    private func checkFree(_ name: ItemName, in directory: MemoryNode.ID, _ path: ItemPath) throws {
        guard self[directory].entries?[name] == nil else { throw FileError.exists(path) }
    }

    /// - Throws: permission denied, with the path of the first item that would have to stay.
    func checkRemovable(_ node: MemoryNode, at path: ItemPath) throws {
        guard let parent = node.parent else {
            throw cocoaError(path, code: .fileWriteNoPermission, reason: "the root cannot be removed")
        }
        try checkWritable(parent, for: path)
        for (name, child) in node.entries ?? [:] { try checkRemovable(self[child], at: path.appending(name)) }
    }

    static func check(_ version: FileVersion?, against node: MemoryNode, _ path: ItemPath) throws {
        guard let version, !version.matches(node.object(at: path)) else { return }
        throw FileError.changed(path)
    }

    static func checkLength(of name: ItemName, in path: ItemPath) throws {
        guard name.bytes.count > longestName else { return }
        throw cocoaError(
            path, code: .fileWriteInvalidFileName, reason: "a name has at most \(longestName) bytes",
            underlying: POSIXError(.ENAMETOOLONG))
    }

    /// Records a change for the watchers.
    mutating func tell(_ id: MemoryNode.ID, _ change: (ItemPath) -> FileChange) {
        if let path = path(of: id) { pendingChanges.append(change(path)) }
    }
}
