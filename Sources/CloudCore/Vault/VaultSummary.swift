/// What a vault holds, in numbers.
public struct VaultSummary: Sendable, Hashable {
    /// The number of known items, not counting the root.
    public var items = 0
    /// The number of items with a local copy.
    public var copies = 0
    /// The number of items with changes that the server does not have yet, including those removed locally: other
    /// contents, or an unfinished command that is not a download.
    public var unsent = 0
    /// How many directories have not been listed yet, including the root if the server was never scanned.
    public var unlisted = 0
    /// How many others are to be listed again, since something in them may have changed.
    public var outdated = 0

    /// Creates the summary of an empty vault.
    public init() {}
}
