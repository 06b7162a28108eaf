/// A provider that is reached over a network connection it keeps.
public protocol FileProviderBasicRemote: FileProviderBasic {
    /// The connection: an `HTTPSession`, an SSH connection pool. Copies of a provider share it.
    associatedtype Session: Sendable
    /// Where replies are kept for reuse, where the protocol has such a thing; `Void` otherwise.
    associatedtype Cache: Sendable = Void

    /// The connection that requests travel over.
    var session: Session { get }
    /// The store of earlier replies, or `nil` when nothing is kept (the default).
    var cache: Cache? { get }
    /// Whether earlier replies may answer. Off by default: stale answers surprise.
    var useCache: Bool { get }
    /// Whether an earlier reply is confirmed with the server (ETag, Last-Modified) before it is used.
    var validatingCache: Bool { get }
}

extension FileProviderBasicRemote {
    /// Nothing kept.
    public var cache: Cache? { nil }
    /// Off.
    public var useCache: Bool { false }
    /// On.
    public var validatingCache: Bool { true }
}
