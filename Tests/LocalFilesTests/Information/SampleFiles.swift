import FileProviding
import Foundation
import LocalFiles

/// Copies of small real files of every type in a folder of their own.
final class SampleFiles: Sendable {
    let folder: URL
    let provider: LocalFileProvider

    init(_ information: LocalFileInformationGenerator = .standard) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID())")
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        try FileManager.default.copyItem(at: fixtures, to: folder)
        provider = try LocalFileProvider(root: LocalPath(folder.path), information: information)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appending(path: name) }
    func local(_ name: String) -> LocalPath { LocalPath(url(name).path) }
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }
}
