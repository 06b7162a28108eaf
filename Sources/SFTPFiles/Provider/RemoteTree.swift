import FileProviding
import Foundation

/// The provider's tree over one connection: translates paths to the server's, and keeps links within the root.
struct RemoteTree: Sendable {
    let client: SFTPClient
    /// The root's path on the server.
    let root: [UInt8]
    /// Whether links that lead out of the root are refused.
    let confines: Bool
    /// The most entries that one directory may have.
    let maximumEntries: Int

    /// Returns the item's path on the server.
    func bytes(_ path: ItemPath) throws -> [UInt8] {
        guard !path.isIdentifier else { throw FileError.unsupported(path, "items have no identifiers here") }
        return root.joined(path.bytes)
    }

    /// Returns the path of a new item, which is not followed if it is a link.
    func newPlace(_ path: ItemPath) async throws -> [UInt8] {
        try checkName(ofNew: path)
        return try await place(path)
    }

    /// Throws for a name that the server would change into another.
    func checkName(ofNew path: ItemPath) throws {
        if !client.traits.isFileSystem, path.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw cocoaError(
                path, code: .fileWriteInvalidFileName,
                reason: "this server may put other characters in the place of control characters")
        }
    }

    /// Returns a path that is not followed: the directory that holds it must be inside the root.
    func place(_ path: ItemPath) async throws -> [UInt8] {
        let place = try bytes(path)
        if confines, let parent = path.parent { try await confine(parent, for: path) }
        return place
    }

    /// Returns a path that is followed: what it leads to must be inside the root.
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

/// Returns the error for a link that must not be followed.
func leadsOutside(_ path: ItemPath) -> CocoaError {
    cocoaError(
        path, code: .fileReadNoPermission, reason: "a symbolic link on the way leads outside the provider's root",
        underlying: POSIXError(.EXDEV))
}
