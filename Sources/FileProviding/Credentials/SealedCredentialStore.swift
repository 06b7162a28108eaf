import Crypto
import Foundation

/// Secrets in one sealed file (AES-GCM) beside its random key file, both of mode 0600 in a folder of mode 0700.
///
/// This protects backups that miss the key, and casual reading; it cannot protect against a program that runs as the same
/// user. Safe against other processes that use the same folder: changes are made under a lock and in one step. A damaged
/// file or a missing key is an error and is left as it is.
public struct SealedCredentialStore: CredentialStore {
    private let key: LocalPath
    private let file: LocalPath
    private let lock: LocalPath
    private let folder: LocalPath

    /// A store in `folder`, which is created when the first secret is kept.
    public init(folder: LocalPath) {
        self.folder = folder
        key = folder.appending("key".utf8)
        file = folder.appending("credentials.sealed".utf8)
        lock = folder.appending("credentials.lock".utf8)
    }

    /// The secret kept for `id`, or `nil`.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the file cannot be opened with its key.
    public func credential(for id: UUID) throws -> Credential? { try load()[id.uuidString] }

    /// Keeps a secret, replacing an earlier one; `nil` forgets it.
    ///
    /// - Throws: as ``credential(for:)``, and when the folder cannot be written.
    public func setCredential(_ credential: Credential?, for id: UUID) throws {
        try PrivateFile.createFolder(folder)
        try PrivateFile.locked(lock) {
            var credentials = try load()
            credentials[id.uuidString] = credential
            let sealed = try AES.GCM.seal(JSONEncoder().encode(credentials), using: loadKey(creating: true))
            guard let combined = sealed.combined else { throw damaged("sealing failed") }
            try PrivateFile.replace(file, with: combined)
        }
    }

    private func load() throws -> [String: Credential] {
        guard let combined = try PrivateFile.read(file) else { return [:] }
        let key = try loadKey(creating: false)
        do {
            let opened = try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key)
            return try JSONDecoder().decode([String: Credential].self, from: opened)
        } catch {
            throw damaged("it is damaged or belongs to another key")
        }
    }

    private func loadKey(creating: Bool) throws -> SymmetricKey {
        if let bytes = try PrivateFile.read(key) {
            guard bytes.count == 32 else { throw damaged("its key file is damaged") }
            return SymmetricKey(data: bytes)
        }
        guard creating, try PrivateFile.read(file) == nil else { throw damaged("its key file is missing") }
        let key = SymmetricKey(size: .bits256)
        try PrivateFile.replace(self.key, with: key.withUnsafeBytes { Data($0) })
        return key
    }

    private func damaged(_ reason: String) -> CocoaError {
        cocoaError(file, code: .fileReadCorruptFile, reason: reason)
    }
}
