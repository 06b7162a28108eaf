import Crypto
import Foundation

/// A store that keeps secrets in one sealed file (AES-GCM) next to its random key file, both of mode 0600 in a folder
/// of mode 0700.
///
/// This protects against casual reading and against leaks through backups that lack the key; it cannot protect against
/// a program that runs as the same user. Modes that were widened are set back when a secret is stored. It is safe to
/// use while other processes use the same folder: changes are made under a lock and atomically. A damaged file or a
/// missing key is an error; the file is left as it is.
public struct SealedCredentialStore: CredentialStore {
    private let key: LocalPath
    private let file: LocalPath
    private let lock: LocalPath
    private let folder: LocalPath

    /// Creates a store in `folder`, which is created when the first secret is stored.
    public init(folder: LocalPath) {
        self.folder = folder
        key = folder.appending("key")
        file = folder.appending("credentials.sealed")
        lock = folder.appending("credentials.lock")
    }

    /// Returns the secret stored for `id`, or `nil`.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the file cannot be opened with its key.
    public func credential(for id: UUID) throws -> Credential? { try load()[id.uuidString] }

    /// Stores a secret, replacing an earlier one; `nil` deletes it.
    ///
    /// - Throws: as ``credential(for:)``, and when the folder cannot be written.
    public func setCredential(_ credential: Credential?, for id: UUID) throws {
        try PrivateFile.createFolder(folder)
        for (path, mode) in [(folder, 0o700), (key, 0o600)] as [(LocalPath, mode_t)] {
            _ = path.withCString { chmod($0, mode) }
        }
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
