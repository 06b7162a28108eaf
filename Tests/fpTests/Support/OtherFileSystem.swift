import Foundation
import Testing

/// A folder on a file system other than that of temporary files; removed when this object is.
final class OtherFileSystem {
    /// Its path.
    let path: String

    /// Whether `/dev/shm` is such a file system.
    static let isThere: Bool = {
        let places = [FileManager.default.temporaryDirectory.path, "/dev/shm"].map { path in
            var status = stat()
            return stat(path, &status) == 0 ? status.st_dev : 0
        }
        return places[1] != 0 && places[0] != places[1] && access("/dev/shm", W_OK) == 0
    }()

    init() throws {
        // Within one file system, tests of moves between two would pass without testing them.
        try #require(Self.isThere, "needs /dev/shm, and the temporary folder elsewhere")
        path = "/dev/shm/fpTests-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A file's text, or `nil` when there is none.
    func read(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// Returns the names in a folder, sorted, including hidden ones.
    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
    }

    /// The number of items at any depth, including hidden ones.
    var fileCount: Int { get throws { try FileManager.default.subpathsOfDirectory(atPath: path).count } }
}
