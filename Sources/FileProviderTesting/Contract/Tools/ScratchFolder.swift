import FileProviding
import Foundation

/// Runs `body` with a folder on this machine's disk, which is removed afterwards.
@discardableResult
func withScratchFolder<Result>(_ body: (ScratchFolder) async throws -> Result) async throws -> Result {
    let folder = try ScratchFolder()
    do {
        let result = try await body(folder)
        try folder.remove()
        return result
    } catch {
        try? folder.remove()
        throw error
    }
}

/// A folder for the local side of transfers.
struct ScratchFolder: Sendable {
    let path: LocalPath

    init() throws {
        let url = FileManager.default.temporaryDirectory
        path = LocalPath(url.path(percentEncoded: false)).appending("contract-\(UInt64.random(in: 0 ... .max))")
        try expect(path.withCString { mkdir($0, 0o755) } == 0, "cannot create \(path): errno \(errno)")
    }

    subscript(name: String) -> LocalPath { path.appending(name.utf8) }

    /// Creates a file and opens it; returns the descriptor.
    func create(_ name: String) throws -> Int32 {
        let descriptor = self[name].withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        try expect(descriptor >= 0, "cannot create \(self[name]): errno \(errno)")
        return descriptor
    }

    /// Creates a file.
    func put(_ name: String, _ bytes: Data) throws -> LocalPath {
        try LocalFileHandle(owning: create(name)).write(bytes, at: 0)
        return self[name]
    }

    /// Returns a file's bytes, or `nil` if there is none.
    func bytes(_ name: String) throws -> Data? {
        guard let file = try? LocalFileHandle(reading: self[name]) else { return nil }
        return try file.read(at: 0, count: Int(file.size()))
    }

    /// The names in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path.description).sorted() }
    }

    /// Checks that the process has no files open in the folder a moment after an operation ended.
    ///
    /// A transport may release a file on a thread of its own, just after the answer.
    func expectNoOpenFiles(file: StaticString = #fileID, line: UInt = #line) async throws {
        let patience = ContinuousClock.now + .seconds(2)
        while try openFiles > 0, ContinuousClock.now < patience { try await Task.sleep(for: .milliseconds(5)) }
        try expectEqual(try openFiles, 0, "open files in the local folder", file: file, line: line)
    }

    private var openFiles: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return target?.hasPrefix(path.description) == true
            }
        }
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path.description) }
}
