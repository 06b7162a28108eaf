import FileProviding
import Foundation
import Glibc

/// Passes a password to the OpenSSH client when it asks for one (`SSH_ASKPASS`): through a pipe in a private folder, so
/// that it is neither on a disk nor among anyone's arguments or variables.
final class PasswordAnswer: Sendable {
    /// The variables to add to the client's environment.
    let variables: [String: String]
    private let folder: LocalPath
    private let pipe: LocalFileHandle

    init(_ password: String) throws {
        let folder = LocalPath("\(NSTemporaryDirectory())/.fp-ask-\(UInt64.random(in: 0 ... .max))")
        self.folder = folder
        try PrivateFile.createFolder(folder)
        let (script, pipe) = (folder.appending("ask".utf8), folder.appending("pipe".utf8))
        // The password is given only to the program that we started, and not to a client that it starts for a jump
        // host, nor to one that outlives us. A second request finds the pipe empty, and any other question, such as for
        // a passphrase, gets no answer.
        let text = """
            #!/bin/sh
            case $1 in *assword*) grep -qx "PPid:[[:space:]]*\(getpid())" "/proc/$PPID/status" || exit 1 ;; *) exit 1 ;; esac
            cd "${0%/*}" && mv pipe taken 2>/dev/null && exec head -n 1 taken
            exit 1

            """
        try PrivateFile.replace(script, with: Data(text.utf8))
        guard script.withCString({ chmod($0, 0o700) }) == 0, pipe.withCString({ mkfifo($0, 0o600) }) == 0 else {
            throw posixError(folder, errno, writing: true)
        }
        // Both ends are ours, so that opening blocks on nobody, and the line waits in the pipe.
        let descriptor = pipe.withCString { open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw posixError(folder, errno, writing: true) }
        self.pipe = LocalFileHandle(owning: descriptor)
        let line = Array("\(password)\n".utf8)
        guard write(descriptor, line, line.count) == line.count else { throw posixError(folder, errno, writing: true) }
        variables = [
            "SSH_ASKPASS": script.description, "SSH_ASKPASS_REQUIRE": "force",
            "DISPLAY": ProcessInfo.processInfo.environment["DISPLAY"] ?? ":0",
        ]
    }

    /// Removes the folder; does nothing if that was done already.
    func remove() {
        for name in ["pipe", "taken", "ask"] { _ = folder.appending(name.utf8).withCString { unlink($0) } }
        _ = folder.withCString { rmdir($0) }
    }

    deinit { remove() }
}
