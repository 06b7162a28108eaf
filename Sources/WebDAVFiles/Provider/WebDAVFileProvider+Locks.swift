import FileProviding
import Foundation
import HTTPFiles

/// A lock that this provider holds.
struct HeldLock: Sendable {
    let path: ItemPath
    let token: String
    /// The seconds until it expires, unless it is refreshed.
    let timeout: Int64
}

extension WebDAVFileProvider {
    /// Replaces a file under a lock, if the configuration requires one (RFC 4918, section 9.10).
    ///
    /// A file that does not exist yet is not locked: the server would create it empty under its final name.
    func locking<Result>(_ path: ItemPath, _ work: (HeldLock?) async throws -> Result) async throws -> Result {
        let lock = try await lockIfAsked(path)
        let result: Swift.Result<Result, any Error>
        do {
            async let _ = refresh(lock)
            result = .success(try await work(lock))
        } catch {
            result = .failure(error)
        }
        // What was written is stored, whatever happens to the lock, which expires by itself.
        try? await release(lock)
        return try result.get()
    }

    /// Refreshes a lock for as long as a write takes (section 9.10.2).
    private func refresh(_ lock: HeldLock?) async {
        guard let lock else { return }
        let request = refreshRequest(path: lock.path, token: lock.token)
        while (try? await session.pacer.sleep(Double(max(1, lock.timeout / 2)))) != nil {
            _ = try? await session.data(for: request)
        }
    }

    private func lockIfAsked(_ path: ItemPath) async throws -> HeldLock? {
        guard configuration.locksWrites, try await itemIfPresent(path) != nil else { return nil }
        let (response, data) = try await send(lockRequest(path: path), for: .modify(path))
        guard let header = response.headers["Lock-Token"] else {
            throw urlError(response.url, code: .badServerResponse, reason: "a lock without a token")
        }
        let token = header.trimmingCharacters(in: CharacterSet(charactersIn: "<> "))
        return HeldLock(path: path, token: token, timeout: granted(data, token, response))
    }

    /// Returns for how many seconds a lock was granted: a server may choose less than was asked for (section 10.7).
    private func granted(_ data: Data, _ token: String, _ response: HTTPResponse) -> Int64 {
        let reply = try? Multistatus.decode(data, from: response, expecting: .prop)
        let locks = reply?.first?.properties.locks ?? []
        let lock = locks.first { $0.token == token } ?? locks.first
        return min(lock?.timeout ?? .max, Self.lockTimeout)
    }

    /// Releases a lock, even when the task was cancelled in the meantime.
    private func release(_ lock: HeldLock?) async throws {
        guard let lock else { return }
        let (session, request) = (session, unlockRequest(path: lock.path, token: lock.token))
        _ = try await shielded { try await session.data(for: request) }
    }
}
