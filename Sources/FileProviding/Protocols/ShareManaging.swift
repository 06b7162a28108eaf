/// The operations on shares: links, users and groups. Providers implement it with paths of the storage; an object that
/// shows part of a storage under paths of its own implements it with those paths.
public protocol ShareManaging: Sendable {
    /// Returns the shares of an item, or with `nil` everything that the account shares.
    func shares(of path: ItemPath?) async throws -> [Share]
    /// Returns the shares through which others give the account items that appear below the root, each with the path
    /// where its item appears.
    func sharesWithMe() async throws -> [Share]
    /// Creates a share. The error carries the server's own message, such as its requirements for a password.
    func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share
    /// Changes a share; whatever is `nil` in the draft stays as it is.
    func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share
    /// Ends a share.
    func removeShare(_ share: Share) async throws
    /// Returns the users and groups that match a text, exact matches first.
    func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee]
}
