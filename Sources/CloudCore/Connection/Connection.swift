import FileProviding

/// A server as the ``Core`` sees it: it answers queries about items by path, signals that something may have changed,
/// and carries out operations for commands.
///
/// The Core knows no protocol. `ProviderAdapter` makes any file provider a connection. A connection that wraps another
/// one forwards every member, also those with a default, and conforms to what that one refines this protocol by
/// (``AccountConnection``, ``SharingConnection``, ``SearchingConnection``).
public protocol Connection: Sendable {
    /// Returns the characteristics of this server; determined once, by asking it.
    func traits() async throws -> ConnectionTraits

    /// Whether the root is a folder of this machine, in whose place there may be another one at any time, such as the
    /// mount point of a disk that is away: it is looked at before waiting commands are sent. `false` by default.
    var isMounted: Bool { get }

    /// Returns one item. Throws `.fileReadNoSuchFile` for a missing one; but a missing root means that the server is
    /// unavailable, here and in every other member: a `URLError` that says so.
    func attributes(of path: ItemPath) async throws -> FileObject

    /// Returns a directory's entries, page by page as they arrive; nothing is requested before the first page is
    /// pulled.
    func listing(of path: ItemPath) -> DirectoryListing

    /// Returns signals of changes as they happen, or `nil` if the server does not send any.
    ///
    /// Watching has begun when this returns, and ends with the iteration. A stream that ends or throws is requested
    /// again.
    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>?

    /// Switches to a bookmark that a user's answer has changed: to its URL, its trusted certificates, and the
    /// credential that is now stored for it.
    ///
    /// Throws `.featureUnsupported` if that requires a new connection; the answer is then valid for the core that is
    /// created with it.
    func adopt(_ bookmark: Bookmark) async throws

    /// Returns a thumbnail of a file. Throws `.featureUnsupported` if there is none.
    func thumbnail(of path: ItemPath, within size: PixelSize?) async throws -> Thumbnail

    /// Returns how many bytes of an interrupted transfer need not be sent again, judging by what earlier attempts have
    /// left next to it; 0 if that is not known. Makes no request to the server.
    ///
    /// - Parameters:
    ///   - journal: the file in which the operation keeps its state.
    ///   - arrival: the file that a download goes to; `nil` for an upload.
    func transferred(journal: LocalPath, arrival: LocalPath?) -> Int64

    /// Removes what an abandoned upload has left on the server; does nothing if there is nothing.
    ///
    /// - Parameter journal: the file in which the operation kept its state.
    /// - Throws: the reason why it could not be removed. If the server may be able to do it later, it is tried again
    ///   then.
    func discardUpload(journal: LocalPath) async throws

    /// Carries out an operation and sends the outcome to `target`, even when the task is cancelled: the outcome is then
    /// "cancelled", unless the operation has been done.
    ///
    /// It may return before the outcome is known and send it later, even from another run of the program, to
    /// ``Core/receive(_:)``. An outcome that is sent twice is acted on once. If an earlier attempt at the same
    /// operation has already done it, without its outcome having arrived, that is a success.
    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async
}

extension Connection {
    /// `false`.
    public var isMounted: Bool { false }

    /// Refuses.
    public func adopt(_ bookmark: Bookmark) async throws {
        throw FileError.unsupported(bookmark.name, "this connection does not change its bookmark")
    }

    /// Returns 0: not known.
    public func transferred(journal: LocalPath, arrival: LocalPath?) -> Int64 { 0 }

    /// Does nothing.
    public func discardUpload(journal: LocalPath) async throws {}

    /// Throws: there is none.
    public func thumbnail(of path: ItemPath, within size: PixelSize?) async throws -> Thumbnail {
        throw FileError.unsupported(path, "this server makes no thumbnails")
    }

    /// Refuses every operation: the connection is read-only.
    public func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        await target.send(.failed(EventFailure(FileError.unsupported("connection", "it is read-only"))))
    }
}

/// The characteristics that vary between servers, for discovery.
public struct ConnectionTraits: Hashable, Sendable {
    /// Whether a directory's tag changes with everything below it, so that one request shows whether anything changed.
    public var propagatesDirectoryETags: Bool

    /// Creates traits; by default those of a server of which nothing is known.
    public init(propagatesDirectoryETags: Bool = false) {
        self.propagatesDirectoryETags = propagatesDirectoryETags
    }
}

/// A signal that a server sends on its own.
public enum ConnectionSignal: Hashable, Sendable {
    /// The entries of this directory may have changed.
    case changed(ItemPath)
    /// An item has moved from one directory to another; the entries of both have to be listed together.
    case moved(from: ItemPath, to: ItemPath)
    /// Something may have changed anywhere.
    case changedSomewhere

    /// The directories whose entries may have changed.
    var directories: [ItemPath] {
        switch self {
        case .changed(let path): [path]
        case .moved(let old, let new): [old, new]
        case .changedSomewhere: []
        }
    }
}
