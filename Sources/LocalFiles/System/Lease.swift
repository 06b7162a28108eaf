import FileProviding
import Glibc

/// Leases on files (fcntl(2)), as file servers take for their clients.
enum Lease {
    /// How long, in milliseconds, another program may take to give one up; then the kernel takes it.
    private static let longest = 60_000

    /// Opens a file; while another program holds a lease on it, again and again.
    static func awaiting<Result>(_ open: () throws(Errno) -> Result) async throws -> Result {
        var (waited, pause) = (0, 5)
        while true {
            do { return try open() } catch {
                guard error.code == EAGAIN, waited < longest else { throw error }
                try await Task.sleep(for: .milliseconds(pause))
                waited += pause
                pause = min(pause * 2, 500)
            }
        }
    }
}

extension Directory {
    /// Opens any item except a link for reading, and waits for a lease on it.
    ///
    /// - Parameter path: where the item is, for error messages.
    func openAwaitingLease(_ name: ItemName, path: ItemPath) async throws -> LocalFileHandle {
        do {
            return try await Lease.awaiting { () throws(Errno) in try open(name) }
        } catch let error as Errno {
            throw localError(path, error, writing: false)
        }
    }
}
