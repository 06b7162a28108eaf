import FileProviding
import Foundation

/// A tree of items as a plain value: looked up by path, changed in steps that either succeed or throw without effect.
/// Only parents that a step was told to create may outlive its failure.
///
/// It uses no locks and knows no providers. Changes are recorded in ``pendingChanges`` for the watchers.
struct MemoryTree: Sendable {
    static let longestName = 255
    static let rootID: MemoryNode.ID = 0

    private(set) var nodes: [MemoryNode.ID: MemoryNode]
    private(set) var usedBytes: Int64 = 0
    /// The most bytes that all files together may hold.
    let capacity: Int64?
    var trash: [(item: TrashedItem, node: MemoryNode.ID)] = []
    /// Changes that have not been reported yet.
    var pendingChanges: [FileChange] = []
    private var lastID = rootID
    private var changeCount = 0

    init(capacity: Int64?, now: FileTime) {
        self.capacity = capacity
        nodes = [
            Self.rootID: MemoryNode(
                id: Self.rootID, name: ItemName(unchecked: []), contents: .directory([:]), version: 0, created: now,
                modified: now, permissions: 0o755)
        ]
    }

    subscript(id: MemoryNode.ID) -> MemoryNode {
        guard let node = nodes[id] else { preconditionFailure("a directory names a node that is gone") }
        return node
    }

    /// Returns where an item is now, or `nil` when it is in the trash.
    func path(of id: MemoryNode.ID) -> ItemPath? {
        var names: [ItemName] = []
        var node = self[id]
        while node.id != Self.rootID {
            guard let parent = node.parent else { return nil }
            names.append(node.name)
            node = self[parent]
        }
        return names.reversed().reduce(ItemPath.root) { $0.appending($1) }
    }

    /// Returns whether `id` is `directory` or lies below it.
    func isInside(_ id: MemoryNode.ID, _ directory: MemoryNode.ID) -> Bool {
        var here: MemoryNode.ID? = id
        while let current = here {
            if current == directory { return true }
            here = self[current].parent
        }
        return false
    }

    /// Returns the item itself and everything below it.
    func subtree(_ id: MemoryNode.ID) -> [MemoryNode] {
        let node = self[id]
        return [node] + (node.entries ?? [:]).values.flatMap(subtree)
    }

    /// - Throws: `.fileWriteOutOfSpace` when this many more bytes do not fit.
    func checkSpace(for bytes: Int64, at path: ItemPath) throws {
        guard let capacity, bytes > 0, bytes > capacity - usedBytes else { return }
        throw cocoaError(path, code: .fileWriteOutOfSpace, underlying: POSIXError(.ENOSPC))
    }

    // MARK: The only places that change nodes

    /// Adds a new item that no directory holds yet.
    mutating func add(_ contents: MemoryNode.Contents, permissions: UInt16, now: FileTime) -> MemoryNode.ID {
        lastID += 1
        let node = MemoryNode(
            id: lastID, name: ItemName(unchecked: []), contents: contents, version: nextVersion(), created: now,
            modified: now, permissions: permissions)
        usedBytes += node.size
        nodes[node.id] = node
        return node.id
    }

    /// Changes an item and marks it and all directories above it as changed.
    mutating func update(_ id: MemoryNode.ID, _ change: (inout MemoryNode) -> Void) {
        var node = self[id]
        usedBytes -= node.size
        change(&node)
        usedBytes += node.size
        nodes[id] = node
        mark(id)
    }

    /// Puts an item that no directory holds into a directory.
    mutating func attach(_ id: MemoryNode.ID, as name: ItemName, in directory: MemoryNode.ID, now: FileTime) {
        nodes[id]?.parent = directory
        nodes[id]?.name = name
        changeEntries(of: directory, now: now) { $0[name] = id }
    }

    /// Removes an item from its directory, but not from the tree's nodes.
    mutating func detach(_ id: MemoryNode.ID, now: FileTime) {
        guard let parent = self[id].parent else { return }
        let name = self[id].name
        nodes[id]?.parent = nil
        changeEntries(of: parent, now: now) { $0[name] = nil }
    }

    /// Deletes a detached item and everything below it.
    mutating func discard(_ id: MemoryNode.ID) {
        for node in subtree(id) {
            usedBytes -= node.size
            nodes[node.id] = nil
        }
    }

    private mutating func changeEntries(
        of directory: MemoryNode.ID, now: FileTime, _ change: (inout [ItemName: MemoryNode.ID]) -> Void
    ) {
        guard var node = nodes.removeValue(forKey: directory), case .directory(var entries) = node.contents else {
            return
        }
        node.contents = .directory([:])  // So that `entries` is not shared and changes in place.
        change(&entries)
        node.contents = .directory(entries)
        node.modified = now
        nodes[directory] = node
        mark(directory)
    }

    private mutating func mark(_ id: MemoryNode.ID) {
        let version = nextVersion()
        var here: MemoryNode.ID? = id
        while let current = here {
            nodes[current]?.version = version
            here = nodes[current]?.parent
        }
    }

    private mutating func nextVersion() -> Int {
        changeCount += 1
        return changeCount
    }
}
