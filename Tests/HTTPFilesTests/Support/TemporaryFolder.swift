import FileProviding
import Foundation

/// A folder that goes away with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "HTTPFilesTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A new file with these bytes, open for reading and writing.
    func file(_ bytes: Data = Data()) throws -> (LocalFileHandle, URL) {
        let url = url.appending(path: UUID().uuidString)
        try bytes.write(to: url)
        return (LocalFileHandle(owning: open(url.path, O_RDWR | O_CLOEXEC)), url)
    }
}
