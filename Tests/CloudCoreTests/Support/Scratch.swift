import FileProviding
import Foundation

/// A private folder that goes with the last reference to it.
final class Scratch: Sendable {
    let folder: LocalPath

    init() throws {
        folder = LocalPath(FileManager.default.temporaryDirectory.path + "/cloudcore-\(UUID().uuidString)")
        try PrivateFile.createFolder(folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.description) }

    func file(_ name: String) -> LocalPath { folder.appending(name.utf8) }

    func write(_ text: String, to path: LocalPath) throws {
        try Data(text.utf8).write(to: URL(filePath: path.description))
    }

    func read(_ path: LocalPath) throws -> String { try String(contentsOfFile: path.description, encoding: .utf8) }

    func exists(_ path: LocalPath) -> Bool { FileManager.default.fileExists(atPath: path.description) }
}
