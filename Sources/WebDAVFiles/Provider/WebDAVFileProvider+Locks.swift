import FileProviding
import Foundation
import HTTPFiles

/// A lock that this provider holds.
struct HeldLock: Sendable {
    let path: ItemPath
    let token: String
}

extension WebDAVFileProvider {
    /// Locks a file that is about to be replaced, where the configuration asks for it (RFC 4918, section 9.10).
    ///
    /// A file that does not exist yet is not locked: the server would create it empty under its final name.
    func lockIfAsked(_ path: ItemPath) async throws -> HeldLock? {
        guard configuration.locksWrites, try await itemIfPresent(path) != nil else { return nil }
        let (response, _) = try await send(lockRequest(path: path), for: .modify(path))
        guard let header = response.headers["Lock-Token"] else {
            throw urlError(response.url, code: .badServerResponse, reason: "a lock without a token")
        }
        let token = header.trimmingCharacters(in: CharacterSet(charactersIn: "<> "))
        return HeldLock(path: path, token: token)
    }

    /// Gives a lock back, also when the task was cancelled meanwhile.
    func release(_ lock: HeldLock?) async throws {
        guard let lock else { return }
        let (session, request) = (session, unlockRequest(path: lock.path, token: lock.token))
        _ = try await Task { try await session.data(for: request) }.value
    }
}
