import FileProviders
import Foundation

/// The environment that the process was started with: this is where `fp` reads environment variables. Apart from that,
/// the keyring looks for its bus, libssh2 for its agent, and the OpenSSH client inherits them.
struct Environment: Sendable {
    /// The variables.
    let variables: [String: String]

    /// The process's own environment.
    static var process: Environment {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return Environment(variables: variables)
    }

    /// A variable's value; an empty one counts as absent.
    subscript(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// `$FP_PASSWORD`.
    var password: String? { self["FP_PASSWORD"] }
    /// `$FP_TOKEN`.
    var token: String? { self["FP_TOKEN"] }
    /// How much the libraries log to standard error: `$FP_LOG`, such as `debug`. Nothing by default.
    var logLevel: String? { self["FP_LOG"] }
    /// Whether color is unwanted (`$NO_COLOR`) or impossible.
    var noColor: Bool { self["NO_COLOR"] != nil || self["TERM"] == nil || self["TERM"] == "dumb" }

    /// The folder of `fp`'s own files: `$XDG_CONFIG_HOME/fp`, otherwise `~/.config/fp`.
    var configuration: LocalPath {
        if let folder = self["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return LocalPath(folder).appending("fp") }
        return LocalPath(home).appending(".config/fp")
    }

    /// The folder of what interrupted transfers left: `$XDG_STATE_HOME/fp/transfers`, otherwise
    /// `~/.local/state/fp/transfers`.
    var transfers: LocalPath {
        if let folder = self["XDG_STATE_HOME"], folder.hasPrefix("/") {
            return LocalPath(folder).appending("fp/transfers")
        }
        return LocalPath(home).appending(".local/state/fp/transfers")
    }

    /// The folder of vaults: `$XDG_DATA_HOME/fp`, otherwise `~/.local/share/fp`.
    var vaults: LocalPath {
        if let folder = self["XDG_DATA_HOME"], folder.hasPrefix("/") { return LocalPath(folder).appending("fp") }
        return LocalPath(home).appending(".local/share/fp")
    }

    /// The netrc file: `$NETRC`, otherwise `~/.netrc`.
    var netrc: LocalPath { self["NETRC"].map { LocalPath($0) } ?? LocalPath(home).appending(".netrc") }

    /// The trash: `$XDG_DATA_HOME/Trash`, otherwise `~/.local/share/Trash`; `nil` without a home directory, to use the
    /// one in the user database.
    var trash: LocalPath? {
        if let data = self["XDG_DATA_HOME"], data.hasPrefix("/") { return LocalPath(data).appending("Trash") }
        return self["HOME"].map { LocalPath($0).appending(".local/share/Trash") }
    }

    private var home: String { self["HOME"] ?? "/" }

    /// Returns the working directory's bytes.
    ///
    /// - Throws: when it has been removed, or is not accessible to this process: anything else would be another folder.
    static func workingDirectory() throws -> [UInt8] {
        guard let path = getcwd(nil, 0) else { throw posixError(LocalPath("."), errno, writing: false) }
        defer { free(path) }
        guard path.pointee == Int8(bitPattern: UInt8(ascii: "/")) else {
            throw posixError(LocalPath("."), ENOENT, writing: false)
        }
        return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    }
}
