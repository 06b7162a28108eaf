import FileProviding

/// The items that a target directory has; each is taken out when the source's item of that name is met.
struct PresentItems: Sendable {
    private var items: [ItemName: FileObject]
    /// The names that are not plain, by themselves as texts, which compare equal however composed; `nil` while none was
    /// looked for.
    private var composed: [String: [ItemName]]?

    init() { items = [:] }

    /// Lists the directory. What is being written at the moment is left out.
    init(in directory: TransferEndpoint) async throws {
        items = [:]
        for try await page in directory.provider.listing(path: directory.path) {
            for item in page where !TemporaryName.isOurs(item.itemName) { items[item.itemName] = item }
        }
    }

    var count: Int { items.count }

    /// The items that were not taken out.
    var rest: some Sequence<FileObject> { items.values }

    /// Takes out the item of exactly this name.
    mutating func take(_ name: ItemName) -> FileObject? { items.removeValue(forKey: name) }

    /// Takes out the item of this name, or of the one that an earlier run has given instead since the target cannot
    /// hold it; returns the name at the target with it.
    mutating func take(mapping name: ItemName) -> (ItemName, FileObject?) {
        if let original = NameMapping.original(name) { return (original, take(original)) }
        if let item = take(name) { return (name, item) }
        if let mapped = NameMapping.mapped(name), let item = take(mapped) { return (mapped, item) }
        return (name, nil)
    }

    /// Returns the name of the only item whose name differs from this one in nothing but its normalization.
    mutating func nameComposedOtherwise(than name: ItemName) -> ItemName? {
        guard !items.isEmpty, !name.isPlain else { return nil }
        let names =
            composed ?? Dictionary(items.keys.lazy.filter { !$0.isPlain }.map { ($0.text, [$0]) }, uniquingKeysWith: +)
        composed = names
        guard let others = names[name.text], others.count == 1, items[others[0]] != nil else { return nil }
        return others[0]
    }
}

extension ItemName {
    /// Whether the name is ASCII, which has one normalization.
    fileprivate var isPlain: Bool { bytes.allSatisfy { $0 < 0x80 } }
}
