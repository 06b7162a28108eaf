import FileProviders

/// The sources of a transfer, all on one storage. An item is named in the form of the source that it is, or is in.
struct CopySources {
    /// The sources in the order of the command line: at least one.
    private(set) var all: [Endpoint] = []
    private var byPath: [ItemPath: Endpoint] = [:]

    init(_ first: Endpoint) { append(first) }

    /// The source that stands for the storage.
    var first: Endpoint { all[0] }

    mutating func append(_ source: Endpoint) {
        all.append(source)
        byPath[source.path.asItem] = source
    }

    /// Returns an item in the form in which its source was written.
    func name(of item: ItemPath) -> [UInt8] {
        var path: ItemPath? = item.asItem
        while let each = path {
            if let source = byPath[each] { return source.name(of: item) }
            path = each.parent
        }
        return first.name(of: item)
    }
}
