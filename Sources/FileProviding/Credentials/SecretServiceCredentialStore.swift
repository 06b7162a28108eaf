#if SecretService
import CSecretService
import Foundation

/// Secrets in the desktop's keyring (the Secret Service of freedesktop.org), by libsecret, which is loaded when it is first
/// needed.
///
/// Where there is no keyring, as on most servers, or where it stays locked, secrets are kept in another store. What is in that
/// one already is found, and moves to the keyring when it is kept anew. A locked keyring asks the person, who is waited for.
public struct SecretServiceCredentialStore: CredentialStore {
    private let other: any CredentialStore

    /// A store that keeps secrets in `other` where there is no keyring or a locked one.
    public init(otherwise other: any CredentialStore) { self.other = other }

    /// The secret kept for `id`, or `nil`.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the keyring holds something else; as the other store.
    public func credential(for id: UUID) throws -> Credential? {
        var secret: UnsafeMutablePointer<CChar>?
        _ = Self.ask { FPSecretLookup(id.uuidString, &secret, $0) }
        guard let secret else { return try other.credential(for: id) }
        defer { FPSecretFree(secret) }
        do {
            return try JSONDecoder().decode(Credential.self, from: Data(bytes: secret, count: strlen(secret)))
        } catch {
            throw cocoaError("keyring", code: .fileReadCorruptFile, reason: "it holds no credential for \(id)")
        }
    }

    /// Keeps a secret, replacing an earlier one; `nil` forgets it.
    ///
    /// - Throws: `CocoaError(.fileWriteNoPermission)` when the keyring refuses to forget; as the other store.
    public func setCredential(_ credential: Credential?, for id: UUID) throws {
        var isElsewhere = false
        if let credential {
            let text = String(decoding: try JSONEncoder().encode(credential), as: UTF8.self)
            let asked = Self.ask { FPSecretStore(id.uuidString, "Files on a server", text, $0) }
            isElsewhere = asked.outcome != FPSecretDone
        } else {
            let (outcome, message) = Self.ask { FPSecretErase(id.uuidString, $0) }
            guard outcome != FPSecretRefused else {
                throw cocoaError("keyring", code: .fileWriteNoPermission, reason: message)
            }
        }
        if isElsewhere {
            try other.setCredential(credential, for: id)
        } else if try other.credential(for: id) != nil {
            try other.setCredential(nil, for: id)
        }
    }

    private static func ask(
        _ question: (UnsafeMutablePointer<CChar>) -> FPSecretOutcome
    ) -> (outcome: FPSecretOutcome, message: String) {
        // libsecret would try to start a bus where there is none.
        guard hasSessionBus else { return (FPSecretUnavailable, "no session bus") }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(FP_SECRET_MESSAGE_LENGTH)) { message in
            message.initialize(repeating: 0)
            guard let start = message.baseAddress else { return (FPSecretUnavailable, "") }
            let outcome = question(start)
            return (outcome, String(cString: start))
        }
    }

    private static var hasSessionBus: Bool {
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty }
        return environment["XDG_RUNTIME_DIR"].map { FileManager.default.fileExists(atPath: $0 + "/bus") } ?? false
    }
}
#endif
