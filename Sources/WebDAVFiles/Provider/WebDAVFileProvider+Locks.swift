import FileProviding
import Foundation
import HTTPFiles

/// A lock that this provider holds.
struct HeldLock: Sendable {
    let path: ItemPath
    let token: String
}

extension WebDAVFileProvider {
    /// Replaces a file under a lock, where the configuration asks for one (RFC 4918, section 9.10).
    ///
    /// A file that does not exist yet is not locked: the server would create it empty under its final name.
    func locking<Result>(_ path: ItemPath, _ work: (HeldLock?) async throws -> Result) async throws -> Result {
        let lock = try await lockIfAsked(path)
        do {
            let result = try await work(lock)
            try await release(lock)
            return result
        } catch {
            try? await release(lock)
            throw error
        }
    }

    private func lockIfAsked(_ path: ItemPath) async throws -> HeldLock? {
        guard configuration.locksWrites, try await itemIfPresent(path) != nil else { return nil }
        let (response, _) = try await send(lockRequest(path: path), for: .modify(path))
        guard let header = response.headers["Lock-Token"] else {
            throw urlError(response.url, code: .badServerResponse, reason: "a lock without a token")
        }
        let token = header.trimmingCharacters(in: CharacterSet(charactersIn: "<> "))
        return HeldLock(path: path, token: token)
    }

    /// Gives a lock back, also when the task was cancelled meanwhile.
    private func release(_ lock: HeldLock?) async throws {
        guard let lock else { return }
        let (session, request) = (session, unlockRequest(path: lock.path, token: lock.token))
        _ = try await Task { try await session.data(for: request) }.value
    }
}
