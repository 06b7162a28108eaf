import FileProviding

/// A connection to a server where items can be shared. Paths are the vault's.
///
/// Where the server turns out to have no shares, every member throws `.featureUnsupported`.
public protocol SharingConnection: Connection {
    /// The shares that the account has made of an item, or with `nil` of everything in the vault.
    func shares(of path: ItemPath?) async throws -> [Share]
    /// What others share with the account, by where it appears in the vault; what appears elsewhere is left out.
    func sharesWithMe() async throws -> [Share]
    /// Makes a share. The error has the server's words, such as which password it would take.
    func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share
    /// Changes a share; what the draft leaves `nil` stays.
    func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share
    /// Ends a share.
    func removeShare(_ share: Share) async throws
    /// People and groups that match a text, exact matches first.
    func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee]
}
