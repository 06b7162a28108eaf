import FileProviders

/// A change in a form for output.
struct ChangeLine {
    let kind: String
    /// The item's current path.
    let path: ItemPath
    /// The item's path before it was moved.
    let former: ItemPath?
    /// The item's attributes, if known.
    var item: FileObject?

    /// - Parameter item: the item's attributes, if they have already been requested.
    init(_ change: FileChange, _ item: FileObject? = nil) {
        self.item = item
        switch change {
        case .created(let path): (kind, self.path, former) = ("created", path, nil)
        case .modified(let path): (kind, self.path, former) = ("modified", path, nil)
        case .removed(let path): (kind, self.path, former) = ("removed", path, nil)
        case .moved(let from, let to): (kind, path, former) = ("moved", to, from)
        case .rescan(let path): (kind, self.path, former) = ("rescan", path, nil)
        }
    }

    /// Returns the line with the item's attributes, requesting them if they are unknown and the item may exist.
    func withItem(of provider: any FileProvider) async throws -> ChangeLine {
        guard item == nil, ["created", "modified", "moved"].contains(kind) else { return self }
        var line = self
        do { line.item = try await provider.attributesOfItem(path: path) } catch let error where !error.isCancellation {
        }
        return line
    }

    func text(_ endpoint: Endpoint, _ output: StandardOutput) -> [UInt8] {
        let padding = String(repeating: " ", count: max(1, 10 - kind.count))
        let origin = former.map { output.shown(endpoint.name(of: $0)) + Array(" -> ".utf8) } ?? []
        return Array("\(kind)\(padding)".utf8) + origin + output.shown(endpoint.name(of: path)) + [UInt8(ascii: "\n")]
    }

    func json(_ endpoint: Endpoint) -> [UInt8] {
        var line = JSONLine()
        line.add("event", kind)
        if let former { line.add("from", exact: endpoint.name(of: former)) }
        if let item {
            line.add(item, path: endpoint.name(of: path))
        } else {
            line.add("path", exact: endpoint.name(of: path))
            if let name = path.lastComponent { line.add("name", exact: name.bytes) }
        }
        return line.line
    }
}
