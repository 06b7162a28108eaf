import FileProviding
import Foundation

/// A real server that `Scripts/test-servers` started, by its name in the environment.
struct TestServer: Sendable, CustomStringConvertible {
    /// Where the server's folder is reached.
    let url: URL
    /// The same folder on this machine's disk.
    let folder: LocalPath
    let name: String

    /// The server, or `nil` where none was started. With `FP_TEST_SERVERS_REQUIRED` its tests run all the same, and fail.
    init?(_ name: String) {
        let environment = ProcessInfo.processInfo.environment
        self.name = name
        if let text = environment["FP_TEST_\(name)_URL"], let url = URL(string: text),
            let folder = environment["FP_TEST_\(name)_ROOT"]
        {
            self.url = url
            self.folder = LocalPath(folder)
        } else if environment["FP_TEST_SERVERS_REQUIRED"] == "1" {
            url = URL(string: "http://127.0.0.1:1/missing-server-\(name)/")!
            folder = LocalPath("/nonexistent")
        } else {
            return nil
        }
    }

    var description: String { name }
}
