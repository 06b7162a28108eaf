import FileProviding
import Foundation

/// A real server that `Scripts/test-servers` started, by its name in the environment.
package struct TestServer: Sendable, CustomStringConvertible {
    package let name: String
    /// Where the served folder is reached.
    package let url: URL
    /// The same folder on this machine's disk.
    package let folder: LocalPath

    /// The server, or `nil` where none was started. With `FP_TEST_SERVERS_REQUIRED` its tests run all the same, and
    /// fail.
    package init?(_ name: String) {
        _ = Self.logStarts  // Before the first request of this run.
        self.name = name
        if let url = URL(string: Self.variable("\(name)_URL")) {
            self.url = url
            folder = LocalPath(Self.variable("\(name)_ROOT"))
        } else if Self.areRequired {
            url = URL(string: "http://127.0.0.1:1/missing-server-\(name)/")!
            folder = LocalPath("/nonexistent")
        } else {
            return nil
        }
    }

    package var description: String { name }

    /// A variable that the servers' script sets, named without its beginning `FP_TEST_`; empty where it is not set.
    package static func variable(_ name: String) -> String {
        ProcessInfo.processInfo.environment["FP_TEST_\(name)"] ?? ""
    }

    /// Whether a server that is missing is a failure.
    package static let areRequired = variable("SERVERS_REQUIRED") == "1"

    /// Who the servers let in.
    package static let credential = Credential.password(
        user: variable("USER"), password: variable("PASSWORD"))
}
