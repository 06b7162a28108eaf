import FileProviding

/// The directory that each watch belongs to, kept up to date after renames.
struct WatchTree {
    private struct Node {
        var parent: Int32
        var name: ItemName
        var children: [ItemName: Int32] = [:]
    }

    /// The watch of the directory at the top, and that directory's path.
    let top: (watch: Int32, path: ItemPath)
    private var nodes: [Int32: Node] = [:]
    private var topChildren: [ItemName: Int32] = [:]

    init(top watch: Int32, path: ItemPath) { top = (watch, path) }

    /// Returns the watched directory's current path, or `nil` for a watch that has ended.
    func path(of watch: Int32) -> ItemPath? {
        var names: [ItemName] = []
        var current = watch
        while current != top.watch {
            guard let node = nodes[current] else { return nil }
            names.append(node.name)
            current = node.parent
        }
        return names.reversed().reduce(top.path) { $0.appending($1) }
    }

    /// The watches of all directories below the top.
    var watches: Set<Int32> { Set(nodes.keys) }

    func child(_ name: ItemName, of watch: Int32) -> Int32? {
        watch == top.watch ? topChildren[name] : nodes[watch]?.children[name]
    }

    /// Records where the directory of `watch` is, whether it is new or was moved.
    ///
    /// - Returns: whether it can be there: a mount may show a directory within itself, whose watch it then shares.
    @discardableResult
    mutating func place(_ watch: Int32, as name: ItemName, in parent: Int32) -> Bool {
        guard !isInside(parent, watch) else { return false }
        if let before = nodes[watch] { setChild(before.name, of: before.parent, to: nil) }
        nodes[watch, default: Node(parent: parent, name: name)].parent = parent
        nodes[watch]?.name = name
        setChild(name, of: parent, to: watch)
        return true
    }

    /// Returns whether a directory is `above` or lies somewhere below it.
    private func isInside(_ watch: Int32, _ above: Int32) -> Bool {
        var current: Int32? = watch
        while let watch = current {
            if watch == above { return true }
            current = nodes[watch]?.parent
        }
        return above == top.watch
    }

    /// Removes a directory and those below it; returns their watches.
    mutating func remove(_ watch: Int32) -> [Int32] {
        guard let node = nodes.removeValue(forKey: watch) else { return [] }
        if child(node.name, of: node.parent) == watch { setChild(node.name, of: node.parent, to: nil) }
        var removed = [watch]
        for inner in node.children.values { removed += remove(inner) }
        return removed
    }

    private mutating func setChild(_ name: ItemName, of parent: Int32, to watch: Int32?) {
        if parent == top.watch { topChildren[name] = watch } else { nodes[parent]?.children[name] = watch }
    }
}
