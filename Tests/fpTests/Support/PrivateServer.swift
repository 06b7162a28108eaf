import Foundation
import TestSupport
import Testing

/// A real server for one test alone, which may kill it.
final class PrivateServer {
    private let name: String
    private let state: URL

    init(_ name: String) throws {
        self.name = name
        state = FileManager.default.temporaryDirectory.appending(path: "fp-server-\(UUID())")
        try control("start")
    }

    /// Where its files are, for `fp`; ends in a slash.
    var location: String { (try? value("URL").replacing("http://", with: "dav://")) ?? "" }

    /// The same folder on this machine's disk.
    var root: String { (try? value("ROOT")) ?? "" }

    /// The port on 127.0.0.1.
    var port: Int { (try? URL(string: value("URL"))?.port) ?? 0 }

    /// Does with the server what `Scripts/test-servers` can: `start` (its files stay), `stop`, `kill`.
    func control(_ action: String) throws {
        try #require(try script([action, name]) == 0, "Scripts/test-servers \(action) \(name)")
    }

    /// Ends the server and removes its files.
    func stop() {
        _ = try? script(["stop"])
        try? FileManager.default.removeItem(at: state)
    }

    private func script(_ arguments: [String]) throws -> Int32 {
        let environment = ProcessInfo.processInfo.environment.merging(["FP_TEST_STATE": state.path]) { $1 }
        return try ChildProgram.run(
            TestServer.variable("CONTROL"), arguments, environment: environment, errors: .nothing)
    }

    private func value(_ key: String) throws -> String {
        let prefix = "FP_TEST_\(name.uppercased())_\(key)="
        let lines = try String(contentsOf: state.appending(path: "env"), encoding: .utf8).split(separator: "\n")
        return String(try #require(lines.first { $0.hasPrefix(prefix) }).dropFirst(prefix.count))
    }
}
