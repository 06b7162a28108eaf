import Foundation

/// A real server that `Scripts/test-servers` started, by its name in the environment.
struct TestServer: Sendable, CustomStringConvertible {
    let name: String
    /// The folder's location for `fp`, ending in a slash.
    let location: String
    /// The same folder on this machine's disk, where it is known.
    let root: String?

    /// The variables of the test run.
    static let variables = ProcessInfo.processInfo.environment

    /// The server, or `nil` where none was started. With `FP_TEST_SERVERS_REQUIRED` its tests run all the same, and fail.
    init?(_ name: String) {
        self.name = name
        root = Self.variables["FP_TEST_\(name)_ROOT"]
        if let url = Self.variables["FP_TEST_\(name)_URL"] {
            location = url.replacing("https://", with: "davs://").replacing("http://", with: "dav://")
        } else if Self.variables["FP_TEST_SERVERS_REQUIRED"] == "1" {
            location = "dav://127.0.0.1:1/missing-server-\(name)/"
        } else {
            return nil
        }
    }

    /// The servers that keep files, of those that were started.
    static let all = ["APACHE", "SABRE", "NGINX", "WSGIDAV", "RCLONE"].compactMap { TestServer($0) }

    /// The servers that speak as ownCloud, Nextcloud and OpenCloud do.
    static let clouds = ["OWNCLOUD", "NEXTCLOUD", "OPENCLOUD"].compactMap { TestServer($0) }

    /// A variable that the servers' script sets.
    static func variable(_ name: String) -> String { variables["FP_TEST_\(name)"] ?? "" }

    /// The lines that Apache has logged about paths that contain `text`.
    static func apacheRequests(about text: String) throws -> [String] {
        try String(contentsOfFile: variable("APACHE_LOG"), encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { $0.contains(text) }
    }

    var description: String { name }
}
