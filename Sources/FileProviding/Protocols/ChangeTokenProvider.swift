/// A provider whose directories have a token that changes when their contents do.
public protocol ChangeTokenProvider: FileProviderBasic {
    /// Returns the directory's current token.
    ///
    /// - Throws: `.featureUnsupported` where this server's directories have none.
    func changeToken(path: ItemPath) async throws -> ChangeToken
}

/// A directory's state: a different token means that something changed.
public struct ChangeToken: Hashable, Sendable, Codable {
    /// The token's value; only comparing it has a meaning.
    public var value: String
    /// Whether a change anywhere below the directory changes the token too; otherwise only a change of the directory's
    /// own entries does.
    public var propagates: Bool

    /// Creates a token from the value that the storage gave.
    public init(value: String, propagates: Bool) {
        self.value = value
        self.propagates = propagates
    }
}
