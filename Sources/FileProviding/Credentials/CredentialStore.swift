import Foundation

/// Where secrets are kept, by the identifier of the remote or bookmark that they belong to.
public protocol CredentialStore: Sendable {
    /// The secret kept for `id`, or `nil`.
    func credential(for id: UUID) throws -> Credential?

    /// Keeps a secret, replacing an earlier one; `nil` forgets it.
    func setCredential(_ credential: Credential?, for id: UUID) throws
}
