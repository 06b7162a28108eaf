import FileProviderTesting
import FileProviders
import Foundation
import Glibc
import ProviderAdapter
import TestSupport
import Testing

/// `SyncVictim`, a program that works in a vault until it is killed.
struct VictimProgram {
    let vaults: LocalTree
    let bookmarkID: UUID
    let server: any FileProviderBasic

    /// Runs it until it has printed so many lines, and so many microseconds longer; returns all of them.
    func run(_ seed: String, linesBeforeDeath: Int, pause: UInt32 = 0) async throws -> [String] {
        let arguments = [vaults.url.path, bookmarkID.uuidString, serverURL, Self.log(vaults), seed]
        // Reading blocks its thread, and the tasks' threads are few.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.run(arguments, linesBeforeDeath, pause) })
            }
        }
    }

    private static func run(_ arguments: [String], _ linesBeforeDeath: Int, _ pause: UInt32) throws -> [String] {
        let output = Pipe()
        let process = try ChildProgram(program.path, arguments, output: .pipe(output))
        var text = Data()
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < linesBeforeDeath {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        usleep(pause)
        kill(process.processIdentifier, SIGKILL)
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        process.wait()
        // What was accepted counts once its whole line is there.
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The connection that the program has, by the same paths.
    func connection(through proxy: FaultProxy? = nil) throws -> ProviderAdapter {
        let url = try #require(URL(string: serverURL))
        let (provider, root) = try ProviderRegistry.standard.open(proxy?.url(url) ?? url)
        return ProviderAdapter(provider, root: root)
    }

    /// What lines of a kind say.
    static func texts(of kind: String, in lines: [String]) -> [String] {
        lines.compactMap { $0.hasPrefix(kind + " ") ? String($0.dropFirst(kind.count + 1)) : nil }
    }

    /// Where edits are noted that were written twice.
    static func log(_ vaults: LocalTree) -> String { vaults.url.path + "/twice.log" }

    /// The root as `ProviderRegistry` knows it.
    private var serverURL: String {
        server.baseURL.map { $0.absoluteString.replacing(/^http:/, with: "dav:") } ?? ""
    }

    /// The program's file, beside the test bundle.
    private static let program: URL = {
        let bundle = URL(
            fileURLWithPath: CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0])
        return bundle.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("SyncVictim")
    }()
}
