import Foundation

/// A folder of its own for a test, removed with it.
final class Workspace {
    let folder: URL
    var program: Program

    init(environment: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fpTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        program = Program(folder: folder, environment: environment)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs `fp` here.
    func fp(_ arguments: String...) throws -> Program.Outcome { try program.run(arguments) }

    /// Writes a file, and the folders that it is in.
    @discardableResult
    func write(_ path: String, _ text: String = "text\n", modified: TimeInterval? = nil) throws -> URL {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        if let modified {
            let date = Date(timeIntervalSince1970: modified)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
        return file
    }

    /// A file's text, or `nil` when there is none.
    func read(_ path: String) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// Whether there is anything at this path.
    func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)) != nil
    }

    /// The names in a folder, sorted, hidden ones included.
    func names(_ path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
            .filter { $0 != ".config" }.sorted()
    }
}
