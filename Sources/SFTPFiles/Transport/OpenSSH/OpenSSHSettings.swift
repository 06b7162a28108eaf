import FileProviding
import Foundation
import Glibc

/// The OpenSSH client's settings for a host, from the user's configuration (`ssh -G`).
struct OpenSSHSettings {
    private let values: [Substring: Substring]

    /// Runs the program for a few seconds at most; if it reports nothing, there are no settings.
    ///
    /// - Parameter arguments: the client's arguments, ending with the host.
    init(_ program: LocalPath, _ arguments: [String]) {
        guard let child = try? ChildProcess(program, ["-G"] + arguments, adding: OpenSSHPath.variables) else {
            values = [:]
            return
        }
        defer { child.end() }
        let lines = Self.output(of: child).split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        values = Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Returns a setting, by its name in lower case.
    subscript(_ name: Substring) -> String? { values[name].map(String.init) }

    /// Options that override settings with which the client would not transport our bytes. Only settings that the
    /// program reported are overridden: older versions reject options that they do not know.
    var corrections: [String] {
        var options: [String] = []
        if let command = values["remotecommand"], command != "none" { options.append("RemoteCommand=none") }
        if values["stdinnull"] == "yes" { options.append("StdinNull=no") }
        if values["forkafterauthentication"] == "yes" { options.append("ForkAfterAuthentication=no") }
        return options
    }

    /// Returns the program's output until it ends.
    private static func output(of child: ChildProcess) -> String {
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16 << 10))
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline, text.count < 1 << 20 {
            var wish = pollfd(fd: child.socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, 1_000) > 0 else { continue }
            let count = recv(child.socket.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
