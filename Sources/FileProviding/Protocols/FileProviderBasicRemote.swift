/// A provider that is reached over a network connection that it keeps.
public protocol FileProviderBasicRemote: FileProviderBasic {
    /// The connection: an `HTTPSession`, an SSH connection pool. Copies of a provider share it.
    associatedtype Session: Sendable
    /// The store of earlier replies for reuse, where the protocol has such a thing; `Void` otherwise.
    associatedtype Cache: Sendable = Void

    /// The connection that requests use.
    var session: Session { get }
    /// The store of earlier replies, or `nil` (the default) when none are kept.
    var cache: Cache? { get }
    /// Whether earlier replies may be used as answers. Off by default, because stale answers are surprising.
    var useCache: Bool { get }
    /// Whether an earlier reply is revalidated with the server (ETag, Last-Modified) before it is used.
    var validatingCache: Bool { get }
}

extension FileProviderBasicRemote {
    /// The default: nothing is kept.
    public var cache: Cache? { nil }
    /// The default: `false`.
    public var useCache: Bool { false }
    /// The default: `true`.
    public var validatingCache: Bool { true }
}
