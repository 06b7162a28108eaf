import FileProviding

/// A server as the ``Core`` sees it: it answers about items by path, says when something may have changed, and does what
/// commands ask.
///
/// The Core knows no protocol. `ProviderAdapter` makes any file provider a connection.
public protocol Connection: Sendable {
    /// What this server can be relied on for; found out by asking, once.
    func traits() async throws -> ConnectionTraits

    /// One item. Throws `.fileReadNoSuchFile` for a missing one; but a missing root is a server that is away, as it is for
    /// every other member: a `URLError` that says so.
    func attributes(of path: ItemPath) async throws -> FileObject

    /// A directory's entries, page by page as they arrive; nothing is asked before the first page is pulled.
    func listing(of path: ItemPath) -> DirectoryListing

    /// News of changes as they happen, or `nil` where the server does not tell by itself.
    ///
    /// Watching has begun when this returns, and ends with the iteration. A stream that ends or throws is asked for anew.
    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>?

    /// Goes on with a bookmark that a person's answer has changed: by its address, with the certificates that it trusts
    /// and the credential that there is for it now.
    ///
    /// Throws `.featureUnsupported` where that takes another connection: the answer holds for the core that has it.
    func adopt(_ bookmark: Bookmark) async throws

    /// A small picture of a file. Throws `.featureUnsupported` where there is none.
    func thumbnail(of path: ItemPath, within size: PixelSize?) async throws -> Thumbnail

    /// How many bytes of an interrupted transfer need not travel again, by what earlier attempts have left beside it; 0 where
    /// that is not known. Nothing is asked of the server.
    ///
    /// - Parameters:
    ///   - journal: what the operation was given to keep its state in.
    ///   - arrival: the file that a download goes to; `nil` for an upload.
    func transferred(journal: LocalPath, arrival: LocalPath?) -> Int64

    /// Takes away what an upload that nobody is going to continue has left at the server; nothing is fine.
    ///
    /// - Parameter journal: what the operation was given to keep its state in.
    /// - Throws: why it could not be taken away. Where the server may do it at another time, it is tried again then.
    func discardUpload(journal: LocalPath) async throws

    /// Does something and sends the outcome to `target`, also when the task is cancelled: "cancelled" then, unless it has
    /// been done.
    ///
    /// May return before the outcome is known and send it later, even from another run of the program, to
    /// ``Core/receive(_:)``. An outcome that is sent twice is acted on once. What has been done already by an earlier attempt
    /// of the same operation, of which nobody heard, is a success.
    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async
}

extension Connection {
    /// Refused.
    public func adopt(_ bookmark: Bookmark) async throws {
        throw FileError.unsupported(bookmark.name, "this connection keeps to what it was made with")
    }

    /// Not known.
    public func transferred(journal: LocalPath, arrival: LocalPath?) -> Int64 { 0 }

    /// Nothing was left.
    public func discardUpload(journal: LocalPath) async throws {}

    /// None.
    public func thumbnail(of path: ItemPath, within size: PixelSize?) async throws -> Thumbnail {
        throw FileError.unsupported(path, "this server makes no thumbnails")
    }

    /// Refuses everything: a connection for looking only.
    public func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        await target.send(.failed(EventFailure(FileError.unsupported("connection", "it is for looking only"))))
    }
}

/// What varies between servers, for discovery.
public struct ConnectionTraits: Hashable, Sendable {
    /// Whether a directory's tag changes with everything below it, so that one request tells whether anything changed.
    public var propagatesDirectoryETags: Bool

    /// Traits of a server of which nothing is known.
    public init(propagatesDirectoryETags: Bool = false) {
        self.propagatesDirectoryETags = propagatesDirectoryETags
    }
}

/// What a server says by itself.
public enum ConnectionSignal: Hashable, Sendable {
    /// The entries of this directory may have changed.
    case changed(ItemPath)
    /// Something has moved from one directory to another, whose entries are to be looked at together.
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
