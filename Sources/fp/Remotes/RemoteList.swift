import FileProviders
import Foundation

/// The saved remotes: `remotes.json` in the configuration folder, a list of ``StoredProvider``.
///
/// Entries that this program does not understand stay in the file unchanged. Changes are made under a lock and
/// atomically.
struct RemoteList {
    private let folder: LocalPath

    /// The secrets of the entries: in the desktop's keyring if there is one, otherwise in a sealed file.
    var secrets: any CredentialStore {
        let sealed = SealedCredentialStore(folder: folder)
        #if SecretService
        return SecretServiceCredentialStore(otherwise: sealed)
        #else
        return sealed
        #endif
    }

    init(folder: LocalPath) { self.folder = folder }

    private var file: LocalPath { folder.appending("remotes.json") }

    /// Returns the entries that this program understands, in the order of the file.
    func entries() throws -> [StoredProvider] { try load().compactMap(Self.entry) }

    /// Returns the entry with that name.
    func entry(named name: String) throws -> StoredProvider? { try entries().first { $0.name == name } }

    /// Adds an entry, or replaces the one with its identifier.
    func save(_ entry: StoredProvider) throws {
        let json = try JSONValue(encoding: entry)
        try change { list in
            if let index = list.firstIndex(where: { Self.entry($0)?.id == entry.id }) {
                list[index] = json
            } else {
                list.append(json)
            }
        }
    }

    /// Adds an entry once its secret is stored.
    ///
    /// - Throws: when there is an entry of that name, also one that another process has just added.
    func add(_ entry: StoredProvider, with credential: Credential?) throws {
        if let credential { try secrets.setCredential(credential, for: entry.id) }
        do {
            let json = try JSONValue(encoding: entry)
            try change { list in
                if list.contains(where: { Self.entry($0)?.name == entry.name }) { throw Self.taken(entry.name) }
                list.append(json)
            }
        } catch {
            if credential != nil { try? secrets.setCredential(nil, for: entry.id) }
            throw error
        }
    }

    /// Returns the refusal of a name that another remote has.
    static func taken(_ name: String) -> Refusal {
        Refusal(ShownName.escaped(name), "there is a remote of that name", remedy: "--replace takes its place")
    }

    /// Replaces the entry with the same identifier. At no time is a secret stored with a location that it is not for.
    func replace(_ entry: StoredProvider, with credential: Credential?) throws {
        try forgetSecret(of: entry)
        try save(entry)
        if let credential { try secrets.setCredential(credential, for: entry.id) }
    }

    /// Removes an entry's secret. One that cannot be read, as without its key, is as good as forgotten.
    private func forgetSecret(of entry: StoredProvider) throws {
        do {
            if try secrets.credential(for: entry.id) != nil { try secrets.setCredential(nil, for: entry.id) }
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {}
    }

    /// Removes an entry, its secret first.
    func remove(_ entry: StoredProvider) throws {
        try forgetSecret(of: entry)
        try change { list in list.removeAll { Self.entry($0)?.id == entry.id } }
    }

    private static func entry(_ json: JSONValue) -> StoredProvider? { try? json.decode(StoredProvider.self) }

    private func load() throws -> [JSONValue] {
        do {
            guard let data = try PrivateFile.read(file) else { return [] }
            return try JSONDecoder().decode([JSONValue].self, from: data)
        } catch is DecodingError {
            throw Refusal(
                ShownName.escaped(file.bytes), "it is damaged, no list of remotes", remedy: "repair or remove it")
        } catch let error as CocoaError {
            throw Refusal(ShownName.escaped(file.bytes), ErrorText.reason(of: error) ?? "it cannot be read")
        }
    }

    private func change(_ change: (inout [JSONValue]) throws -> Void) throws {
        try PrivateFile.createFolder(folder)
        try PrivateFile.locked(folder.appending("remotes.lock")) {
            var list = try load()
            try change(&list)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try PrivateFile.replace(file, with: encoder.encode(list) + Data("\n".utf8))
        }
    }
}
