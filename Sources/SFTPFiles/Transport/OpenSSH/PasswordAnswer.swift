import FileProviding
import Foundation
import Glibc

/// Hands a password to the OpenSSH client when it asks for one (`SSH_ASKPASS`): by a pipe in a private folder, so that it is
/// neither on a disk nor among anyone's arguments or variables.
final class PasswordAnswer: Sendable {
    /// What the client's environment needs.
    let variables: [String: String]
    private let folder: LocalPath

    init(_ password: String) throws {
        let folder = LocalPath("\(NSTemporaryDirectory())/.fp-ask-\(UInt64.random(in: 0 ... .max))")
        self.folder = folder
        try PrivateFile.createFolder(folder)
        let (script, pipe) = (folder.appending("ask".utf8), folder.appending("pipe".utf8))
        // Any other question, such as a key's passphrase, gets no answer; nor does one that comes after our end.
        let text = """
            #!/bin/sh
            case $1 in *assword*) kill -0 \(getpid()) 2>/dev/null && exec cat "${0%/*}/pipe" ;; esac
            exit 1

            """
        try PrivateFile.replace(script, with: Data(text.utf8))
        guard script.withCString({ chmod($0, 0o700) }) == 0, pipe.withCString({ mkfifo($0, 0o600) }) == 0 else {
            throw posixError(folder, errno, writing: true)
        }
        variables = [
            "SSH_ASKPASS": script.description, "SSH_ASKPASS_REQUIRE": "force",
            "DISPLAY": ProcessInfo.processInfo.environment["DISPLAY"] ?? ":0",
        ]
        let line = Array("\(password)\n".utf8)
        Thread.detachNewThread {
            // Opening waits for the reader: the script, or `remove`.
            let descriptor = pipe.withCString { open($0, O_WRONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return }
            let file = LocalFileHandle(owning: descriptor)
            _ = write(file.descriptor, line, line.count)
        }
    }

    /// Takes the folder away; nothing where that was done.
    func remove() {
        let pipe = folder.appending("pipe".utf8)
        // Lets the writer go, if nobody asked.
        let reader = pipe.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        for name in ["pipe", "ask"] { _ = folder.appending(name.utf8).withCString { unlink($0) } }
        _ = folder.withCString { rmdir($0) }
        if reader >= 0 { close(reader) }
    }

    deinit { remove() }
}
