extension ItemPath {
    private static let slash = UInt8(ascii: "/")

    /// Whether this is the provider's root.
    public var isRoot: Bool { bytes.isEmpty }

    /// The names from the root down; empty for an identifier.
    public var components: [ItemName] {
        isIdentifier ? [] : bytes.split(separator: Self.slash).map { ItemName(unchecked: Array($0)) }
    }

    /// The last name, or `nil` for the root and for an identifier.
    public var lastComponent: ItemName? {
        guard !isRoot, !isIdentifier else { return nil }
        guard let cut = bytes.lastIndex(of: Self.slash) else { return ItemName(unchecked: bytes) }
        return ItemName(unchecked: Array(bytes[(cut + 1)...]))
    }

    /// The directory that holds the item, or `nil` for the root and for an identifier.
    public var parent: ItemPath? {
        guard !isRoot, !isIdentifier else { return nil }
        guard let cut = bytes.lastIndex(of: Self.slash) else { return .root }
        return ItemPath(unchecked: Array(bytes[..<cut]), namesDirectory: true)
    }

    /// Returns the path of the child `name`. Below an identifier, the result is an identifier that no provider knows:
    /// look up the item's path first.
    public func appending(_ name: ItemName) -> ItemPath {
        if isRoot { return ItemPath(unchecked: name.bytes) }
        return name.bytes.withUnsafeBufferPointer(appending(bytes:))
    }

    /// Returns the path of the child whose name is these bytes.
    func appending(bytes name: UnsafeBufferPointer<UInt8>) -> ItemPath {
        if isRoot { return ItemPath(unchecked: Array(name)) }
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count + 1 + name.count)
        joined += bytes
        joined.append(Self.slash)
        joined += name
        return ItemPath(unchecked: joined, isIdentifier: isIdentifier)
    }

    /// Returns the path of `relative` below this one; below an identifier, the same caveat applies as for a name.
    public func appending(_ relative: ItemPath) -> ItemPath {
        if relative.isRoot { return self }
        if isRoot { return relative }
        return ItemPath(
            unchecked: bytes + [Self.slash] + relative.bytes, isIdentifier: isIdentifier,
            namesDirectory: relative.namesDirectory)
    }

    /// Returns the path of the child `name`, after validating the name. Throws as ``ItemName`` does for an invalid
    /// name.
    public func appending(_ name: String) throws -> ItemPath { try appending(ItemName(validating: name)) }

    /// Returns whether the item is `directory` or lies below it.
    public func isInside(_ directory: ItemPath) -> Bool {
        guard !isIdentifier, !directory.isIdentifier else { return self == directory }
        if directory.isRoot { return true }
        guard bytes.starts(with: directory.bytes) else { return false }
        return bytes.count == directory.bytes.count || bytes[directory.bytes.count] == Self.slash
    }

    /// Returns this path relative to `directory`, or `nil` when it is not inside.
    public func relative(to directory: ItemPath) -> ItemPath? {
        guard !isIdentifier, isInside(directory) else { return nil }
        if directory.isRoot { return self }
        let rest = bytes.dropFirst(directory.bytes.count + 1)
        return ItemPath(unchecked: Array(rest), namesDirectory: namesDirectory || rest.isEmpty)
    }

    /// The same path, marked as naming a directory.
    public var asDirectory: ItemPath { ItemPath(unchecked: bytes, isIdentifier: isIdentifier, namesDirectory: true) }

    /// The same path without a trailing slash: the item itself, even if it is a symbolic link. The root stays the root.
    package var asItem: ItemPath { isRoot ? self : ItemPath(unchecked: bytes, isIdentifier: isIdentifier) }

    /// The path as text, as in ``description``, or `nil` for bytes that are not UTF-8: for a server that takes text
    /// only.
    public var exactText: String? {
        String(validating: bytes, as: UTF8.self).map { isIdentifier ? $0 : "/" + $0 }
    }

    /// The components percent-encoded for a URL path (RFC 3986, section 3.3), joined by slashes, without a leading
    /// slash.
    ///
    /// Everything but unreserved characters is escaped, so that no server or proxy interprets parts of a name.
    public var percentEncoded: String { bytes.percentEncoded }
}
