#if SecretService
import CSecretService
import Foundation

/// A store that keeps secrets in the desktop's keyring (the Secret Service of freedesktop.org) through libsecret, which
/// is loaded on first use.
///
/// Where there is no keyring, as on most servers, or where it stays locked, secrets are kept in another store. Lookups
/// try that store first, since whatever it holds was stored while the keyring was unavailable; such a secret moves to
/// the keyring when it is stored again. A locked keyring prompts the user, and calls wait for the answer.
public struct SecretServiceCredentialStore: CredentialStore {
    private let other: any CredentialStore

    /// Creates a store that keeps secrets in `other` where there is no keyring or a locked one.
    public init(otherwise other: any CredentialStore) { self.other = other }

    /// Returns the secret stored for `id`, or `nil`; a secret in an unavailable keyring is not found.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the keyring holds something else; whatever the other store
    ///   throws.
    public func credential(for id: UUID) throws -> Credential? {
        let elsewhere = Result { try other.credential(for: id) }
        if case .success(let credential?) = elsewhere { return credential }
        guard Self.hasSessionBus, let secret = FPSecretLookup(id.uuidString) else { return try elsewhere.get() }
        defer { FPSecretFree(secret) }
        do {
            return try JSONDecoder().decode(Credential.self, from: Data(bytes: secret, count: strlen(secret)))
        } catch {
            throw cocoaError("keyring", code: .fileReadCorruptFile, reason: "it holds no credential for \(id)")
        }
    }

    /// Stores a secret, replacing an earlier one; `nil` deletes it. Whatever an unavailable keyring holds stays there.
    ///
    /// - Throws: whatever the other store throws.
    public func setCredential(_ credential: Credential?, for id: UUID) throws {
        if let credential {
            let text = String(decoding: try JSONEncoder().encode(credential), as: UTF8.self)
            guard Self.hasSessionBus, FPSecretStore(id.uuidString, "Files on a server", text) != 0 else {
                return try other.setCredential(credential, for: id)
            }
        } else if Self.hasSessionBus {
            FPSecretErase(id.uuidString)
        }
        if try other.credential(for: id) != nil { try other.setCredential(nil, for: id) }
    }

    // Without a session bus, libsecret would try to start one.
    private static var hasSessionBus: Bool {
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty }
        return environment["XDG_RUNTIME_DIR"].map { FileManager.default.fileExists(atPath: $0 + "/bus") } ?? false
    }
}
#endif
