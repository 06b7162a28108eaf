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

    /// The folders that may hold the script, best first.
    private static var usualFolders: [String] { [NSTemporaryDirectory(), "/run/user/\(getuid())", "/tmp", "/var/tmp"] }

    /// - Parameter folders: where the script may be; the first that lets programs run is used.
    /// - Throws: when there is none. The client would then send an empty password.
    init(_ password: String, in folders: [String]? = nil) throws {
        let folder = try Self.makeFolder(in: folders ?? Self.usualFolders)
        do {
            // Both ends are ours, so that opening blocks on nobody, and the line waits in the pipe.
            let descriptor = folder.appending("pipe".utf8).withCString { open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
            guard descriptor >= 0 else { throw posixError(folder, errno, writing: true) }
            pipe = LocalFileHandle(owning: descriptor)
            let line = Array("\(password)\n".utf8)
            guard write(descriptor, line, line.count) == line.count else {
                throw posixError(folder, errno, writing: true)
            }
        } catch {
            Self.remove(folder)
            throw error
        }
        self.folder = folder
        variables = [
            "SSH_ASKPASS": folder.appending("ask".utf8).description, "SSH_ASKPASS_REQUIRE": "force",
            "DISPLAY": ProcessInfo.processInfo.environment["DISPLAY"] ?? ":0",
        ]
    }

    private static func makeFolder(in places: [String]) throws -> LocalPath {
        var refusal: (any Error)?
        for place in places {
            // The first folder is the one that the user has chosen.
            do { return try makeFolder(in: place) } catch { refusal = refusal ?? error }
        }
        throw refusal ?? CocoaError(.fileNoSuchFile)
    }

    /// Makes a new folder with the script and the pipe.
    ///
    /// - Throws: when they cannot be made there, or the script not be run: many systems mount folders for temporary
    ///   files so that no programs run there.
    private static func makeFolder(in place: String) throws -> LocalPath {
        let folder = LocalPath("\(place)/.fp-ask-\(UInt64.random(in: 0 ... .max))")
        guard folder.withCString({ mkdir($0, 0o700) }) == 0 else { throw posixError(folder, errno, writing: true) }
        let (script, pipe) = (folder.appending("ask".utf8), folder.appending("pipe".utf8))
        do {
            try PrivateFile.replace(script, with: Data(text.utf8))
            guard script.withCString({ chmod($0, 0o700) }) == 0, script.withCString({ access($0, X_OK) }) == 0 else {
                throw cocoaError(
                    place, code: .fileWriteNoPermission,
                    reason: "no program can be run there, by which the client would get the password")
            }
            guard pipe.withCString({ mkfifo($0, 0o600) }) == 0 else { throw posixError(folder, errno, writing: true) }
            return folder
        } catch {
            remove(folder)
            throw error
        }
    }

    /// The script. The password is given only to the program that we started, and not to a client that it starts for a
    /// jump host, nor to one that outlives us. A second request finds the pipe empty, and any other question, such as
    /// for a passphrase or a one-time password, gets no answer. The names of user and host say nothing.
    private static var text: String {
        """
        #!/bin/sh
        asked=$(printf '%s' "$1" | sed 's/[^[:space:]]*@[^[:space:]]*//g' | tr '[:upper:]' '[:lower:]' |
            tr -cs '[:alnum:]' ' ')
        case " $asked " in
        *' one time '* | *' onetime '* | *' otp '* | *' hotp '* | *' totp '* | *' oath '*) exit 1 ;;
        *' token '* | *' verification '* | *' code '* | *' passcode '* | *' new '*) exit 1 ;;
        *' password '*) ;;
        *) exit 1 ;;
        esac
        grep -qx "PPid:[[:space:]]*\(getpid())" "/proc/$PPID/status" || exit 1
        cd "${0%/*}" && mv pipe taken 2>/dev/null && exec head -n 1 taken
        exit 1

        """
    }

    /// Removes the folder; does nothing if that was done already.
    func remove() { Self.remove(folder) }

    private static func remove(_ folder: LocalPath) {
        for name in ["pipe", "taken", "ask"] { _ = folder.appending(name.utf8).withCString { unlink($0) } }
        _ = folder.withCString { rmdir($0) }
    }

    deinit { remove() }
}
