import FileProviding
import Foundation

/// The provider's tree over one connection: paths become the server's, and links are kept within the root.
struct RemoteTree: Sendable {
    let client: SFTPClient
    /// The root's path on the server.
    let root: [UInt8]
    /// Whether links that lead out of the root are refused.
    let confines: Bool
    /// How many entries one directory may have.
    let maximumEntries: Int

    /// The item's path on the server.
    func bytes(_ path: ItemPath) throws -> [UInt8] {
        guard !path.isIdentifier else { throw FileError.unsupported(path, "items have no identifiers here") }
        return root.joined(path.bytes)
    }

    /// A path where something new is to be, itself.
    func newPlace(_ path: ItemPath) async throws -> [UInt8] {
        try checkName(ofNew: path)
        return try await place(path)
    }

    /// Refuses a name that would become another one.
    func checkName(ofNew path: ItemPath) throws {
        if !client.traits.isFileSystem, path.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw cocoaError(
                path, code: .fileWriteInvalidFileName,
                reason: "this server may put other characters in the place of control characters")
        }
    }

    /// A path that is to be used itself, without following it: the directory that holds it must be inside the root.
    func place(_ path: ItemPath) async throws -> [UInt8] {
        let place = try bytes(path)
        if confines, let parent = path.parent { try await confine(parent, for: path) }
        return place
    }

    /// A path that is followed: what it leads to must be inside the root.
    func target(_ path: ItemPath) async throws -> [UInt8] {
        let place = try bytes(path)
        if confines, !path.isRoot { try await confine(path, for: path) }
        return place
    }

    private func confine(_ path: ItemPath, for item: ItemPath) async throws {
        guard !path.isRoot else { return }
        guard try await about(item, { try await client.resolve(path, in: root) }) != nil else {
            throw leadsOutside(item)
        }
    }
}

/// The error of a link that must not be followed.
func leadsOutside(_ path: ItemPath) -> CocoaError {
    cocoaError(
        path, code: .fileReadNoPermission, reason: "a symbolic link on the way leads outside the provider's root",
        underlying: POSIXError(.EXDEV))
}
