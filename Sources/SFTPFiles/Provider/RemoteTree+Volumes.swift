import FileProviding
import Foundation

extension RemoteTree {
    /// Translates a refusal into the error for an item that was being written: version 3 has no status for a full or
    /// read-only disk, so the volume is looked up.
    func explained(_ error: any Error, writing path: ItemPath) async -> any Error {
        guard let status = error as? SFTPStatus else { return error }
        if status.code == .failure, !Task.isCancelled, let volume = try? await volume(holding: path) {
            if volume.isReadOnly { return cocoaError(path, code: .fileWriteVolumeReadOnly) }
            if volume.available < Int64(client.traits.writeLength) {
                return cocoaError(
                    path, code: .fileWriteOutOfSpace, reason: "the server's disk is full",
                    underlying: POSIXError(.ENOSPC))
            }
        }
        return sftpError(path, status, writing: true)
    }

    /// Returns whether two items may be on different file systems, so that neither can be renamed to the other; if the
    /// server does not report that, items in different directories may be.
    func mayLieBetweenVolumes(_ source: ItemPath, _ path: ItemPath) async -> Bool {
        guard source.parent != path.parent else { return false }
        guard let from = try? await volume(holding: source), let to = try? await volume(holding: path) else {
            return true
        }
        return from.identifier != to.identifier
    }

    /// Returns the volume of the directory that holds an item; `nil` if the server does not report it.
    private func volume(holding path: ItemPath) async throws -> RemoteVolume? {
        guard client.traits.offers(.statvfs) else { return nil }
        return try await client.volume(at: bytes(path.parent ?? .root))
    }
}
