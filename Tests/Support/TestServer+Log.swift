import FileProviding
import Foundation

extension TestServer {
    /// Returns the lines that a server has logged about paths that contain a text, since the tests began: what earlier
    /// runs left may be long.
    ///
    /// - Parameter name: the server's name; it must have a log.
    package static func requests(of name: String, about text: String) throws -> [String] {
        let log = try LocalFileHandle(reading: LocalPath(variable("\(name)_LOG")))
        let start = logStarts[name] ?? 0
        let lines = try log.read(at: start, count: Int(log.size() - start))
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.contains(text) }
    }

    /// How long the logs were when the first server was named.
    package static let logStarts: [String: Int64] = ProcessInfo.processInfo.environment.keys.reduce(into: [:]) {
        guard $1.hasPrefix("FP_TEST_"), $1.hasSuffix("_LOG") else { return }
        let name = String($1.dropFirst("FP_TEST_".count).dropLast("_LOG".count))
        $0[name] = try? LocalFileHandle(reading: LocalPath(variable("\(name)_LOG"))).size()
    }
}
