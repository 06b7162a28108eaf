import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

/// A folder of its own for one test, looked at without the provider, and a provider whose root is a folder in it.
final class Scratch: Sendable {
    /// Everything, also what lies outside the provider's root.
    let folder: String
    let provider: LocalFileProvider

    init(in place: String = NSTemporaryDirectory()) throws {
        folder = (place as NSString).appendingPathComponent("LocalFilesTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder + "/root", withIntermediateDirectories: true)
        provider = try LocalFileProvider(root: LocalPath(folder + "/root"), trash: LocalPath(folder + "/trash"))
    }

    deinit {
        _ = try? FileManager.default.removeItem(atPath: folder)
    }

    /// The path of something below the root for the rest of the system.
    func at(_ path: String) -> String { folder + "/root/" + path }

    func put(_ text: String, at path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: at(path)))
    }

    func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: at(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: at(path), withIntermediateDirectories: true)
    }

    func makeLink(_ path: String, to target: String) throws {
        guard symlink(target, at(path)) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    func exists(_ path: String) -> Bool { status(path) != nil }

    func status(_ path: String) -> stat? {
        var found = stat()
        return lstat(at(path), &found) == 0 ? found : nil
    }

    /// The names in a directory, hidden ones too, sorted.
    func names(_ path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: at(path)).sorted()
    }
}

extension ByteStream {
    init(_ text: String) { self.init(Data(text.utf8)) }
}

extension LocalFileProvider {
    func text(_ path: ItemPath) async throws -> String {
        String(decoding: try await contents(path: path), as: UTF8.self)
    }
}

/// What `work` throws, or `nil`.
func failure(_ work: () async throws -> some Any) async -> (any Error)? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}

/// The same with a message that names the path.
func message(_ work: () async throws -> some Any) async -> String {
    await failure(work).map { ($0 as NSError).localizedDescription } ?? "no failure"
}

let isSuperuser = geteuid() == 0

/// Returns the process's umask without using the tested code.
func processMask() throws -> UInt16 {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
    return try #require(UInt16(line.split(separator: "\t")[1], radix: 8))
}
