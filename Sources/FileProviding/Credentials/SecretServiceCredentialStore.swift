#if SecretService
import CSecretService
import Foundation

/// Secrets in the desktop's keyring (the Secret Service of freedesktop.org), by libsecret, which is loaded when it is first
/// needed.
///
/// Where there is no keyring, as on most servers, or where it stays locked, secrets are kept in another store. What is in that
/// one is found first, since it was kept when the keyring could not be asked, and moves to the keyring when it is kept anew. A
/// locked keyring asks the person, who is waited for.
public struct SecretServiceCredentialStore: CredentialStore {
    private let other: any CredentialStore

    /// A store that keeps secrets in `other` where there is no keyring or a locked one.
    public init(otherwise other: any CredentialStore) { self.other = other }

    /// The secret kept for `id`, or `nil`; one in a keyring that cannot be asked is not found.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the keyring holds something else; as the other store.
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

    /// Keeps a secret, replacing an earlier one; `nil` forgets it. What a keyring holds that cannot be asked stays there.
    ///
    /// - Throws: as the other store.
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

    // Without one libsecret would try to start one.
    private static var hasSessionBus: Bool {
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty }
        return environment["XDG_RUNTIME_DIR"].map { FileManager.default.fileExists(atPath: $0 + "/bus") } ?? false
    }
}
#endif
