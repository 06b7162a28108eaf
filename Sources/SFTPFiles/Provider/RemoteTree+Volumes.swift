import FileProviding
import Foundation

extension RemoteTree {
    /// A refusal as the error of an item that was being written: version 3 has no word for a full disk or one that cannot be
    /// written, so the volume is asked.
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

    /// Whether two items may be on different file systems, so that none can be renamed to the other: where the server does not
    /// tell, those of different directories may.
    func mayLieBetweenVolumes(_ source: ItemPath, _ path: ItemPath) async -> Bool {
        guard source.parent != path.parent else { return false }
        guard let from = try? await volume(holding: source), let to = try? await volume(holding: path) else {
            return true
        }
        return from.identifier != to.identifier
    }

    /// The volume of the directory that holds an item; `nil` where the server does not tell.
    private func volume(holding path: ItemPath) async throws -> RemoteVolume? {
        guard client.traits.offers(.statvfs) else { return nil }
        return try await client.volume(at: bytes(path.parent ?? .root))
    }
}
