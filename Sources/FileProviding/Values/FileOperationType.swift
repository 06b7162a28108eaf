/// An operation and the items it involves, as passed to delegates.
public enum FileOperationType: Hashable, Sendable, Codable {
    /// Create a directory.
    case create(ItemPath)
    /// Copy an item within the provider.
    case copy(source: ItemPath, destination: ItemPath)
    /// Move or rename an item within the provider.
    case move(source: ItemPath, destination: ItemPath)
    /// Remove an item and everything below it.
    case remove(ItemPath)
    /// Create a symbolic link.
    case link(ItemPath, target: LinkTarget)
    /// Write a file's contents.
    case modify(ItemPath)
    /// Read a file's contents.
    case fetch(ItemPath)
    /// Copy a local file to the provider.
    case upload(LocalPath, to: ItemPath)
    /// Copy a file from the provider to this machine.
    case download(ItemPath, to: LocalPath)

    /// The item that the operation starts from, as text.
    public var source: String {
        switch self {
        case .create(let path), .remove(let path), .modify(let path), .fetch(let path), .link(let path, _),
            .download(let path, _), .copy(let path, _), .move(let path, _):
            path.description
        case .upload(let file, _): file.description
        }
    }

    /// The destination as text, for operations that have one.
    public var destination: String? {
        switch self {
        case .copy(_, let path), .move(_, let path), .upload(_, let path): path.description
        case .download(_, let file): file.description
        case .link(_, let target): target.description
        case .create, .remove, .modify, .fetch: nil
        }
    }

    /// The action in one word: `Copy`.
    public var actionDescription: String {
        switch self {
        case .create: "Create"
        case .copy: "Copy"
        case .move: "Move"
        case .remove: "Remove"
        case .link: "Link"
        case .modify: "Modify"
        case .fetch: "Fetch"
        case .upload: "Upload"
        case .download: "Download"
        }
    }

    /// Whether bytes are transferred, so that progress counts bytes and not items.
    public var isTransfer: Bool {
        switch self {
        case .modify, .fetch, .upload, .download: true
        case .create, .copy, .move, .remove, .link: false
        }
    }
}

extension FileOperationType: CustomStringConvertible {
    /// `Copy /a → /b`.
    public var description: String {
        [actionDescription, source].joined(separator: " ") + (destination.map { " → \($0)" } ?? "")
    }
}
