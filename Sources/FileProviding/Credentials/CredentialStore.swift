import Foundation

/// A store of secrets, keyed by the identifier of the remote or bookmark that they belong to.
public protocol CredentialStore: Sendable {
    /// Returns the secret stored for `id`, or `nil`.
    func credential(for id: UUID) throws -> Credential?

    /// Stores a secret, replacing an earlier one; `nil` deletes it.
    func setCredential(_ credential: Credential?, for id: UUID) throws
}
