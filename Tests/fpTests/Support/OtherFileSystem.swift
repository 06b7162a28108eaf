import Foundation
import Testing

/// A folder on another file system than that of temporary files, removed with it.
final class OtherFileSystem {
    /// Its path.
    let path: String

    /// Whether this machine has one: `/dev/shm`.
    static let isThere: Bool = {
        let places = [FileManager.default.temporaryDirectory.path, "/dev/shm"].map { path in
            var status = stat()
            return stat(path, &status) == 0 ? status.st_dev : 0
        }
        return places[1] != 0 && places[0] != places[1] && access("/dev/shm", W_OK) == 0
    }()

    init() throws {
        // On one file system, a test of a move between two would pass without testing it.
        try #require(Self.isThere, "needs /dev/shm, and the temporary folder elsewhere")
        path = "/dev/shm/fpTests-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A file's text, or `nil` when there is none.
    func read(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// The names in a folder, sorted, hidden ones included.
    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
    }

    /// How many files there are, at any depth, hidden ones included.
    var fileCount: Int { get throws { try FileManager.default.subpathsOfDirectory(atPath: path).count } }
}
