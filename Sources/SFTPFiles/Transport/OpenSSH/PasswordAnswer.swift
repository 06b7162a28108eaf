import CPlatform
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

    /// The folders for the script, in order of preference.
    private static var usualFolders: [String] { [NSTemporaryDirectory(), "/run/user/\(getuid())", "/tmp", "/var/tmp"] }

    /// - Parameter folders: candidates for the script's folder; the first one in which programs can be run is used.
    /// - Throws: an error if there is none, since the client would then send an empty password.
    init(_ password: String, in folders: [String]? = nil) throws {
        let folder = try Self.makeFolder(in: folders ?? Self.usualFolders)
        do {
            // We hold both ends, so opening does not block and the line waits in the pipe.
            let descriptor = folder.appending("pipe").withCString { open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
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
            "SSH_ASKPASS": folder.appending("ask").description, "SSH_ASKPASS_REQUIRE": "force",
            "DISPLAY": ProcessInfo.processInfo.environment["DISPLAY"] ?? ":0",
        ]
    }

    private static func makeFolder(in places: [String]) throws -> LocalPath {
        var refusal: (any Error)?
        for place in places {
            // Report the error of the first folder, which is the user's choice.
            do { return try makeFolder(in: place) } catch { refusal = refusal ?? error }
        }
        throw refusal ?? CocoaError(.fileNoSuchFile)
    }

    /// Creates a folder with the script and the pipe.
    ///
    /// - Throws: an error if that fails, or the script cannot be run: many systems mount temporary folders with
    ///   `noexec`.
    private static func makeFolder(in place: String) throws -> LocalPath {
        let folder = LocalPath("\(place)/.fp-ask-\(UInt64.random(in: 0 ... .max))")
        guard folder.withCString({ mkdir($0, 0o700) }) == 0 else { throw posixError(folder, errno, writing: true) }
        let (script, pipe) = (folder.appending("ask"), folder.appending("pipe"))
        do {
            try PrivateFile.replace(script, with: Data(text.utf8))
            guard script.withCString({ chmod($0, 0o700) }) == 0, script.withCString({ access($0, X_OK) }) == 0 else {
                throw cocoaError(
                    place, code: .fileWriteNoPermission,
                    reason: "no program can be run there, by which the client would get the password")
            }
            awaitWriters(of: script)
            guard pipe.withCString({ mkfifo($0, 0o600) }) == 0 else { throw posixError(folder, errno, writing: true) }
            return folder
        } catch {
            remove(folder)
            throw error
        }
    }

    /// Waits, for a second at most, until nobody has the script open for writing, since it cannot be run before
    /// (`ETXTBSY`): a program that another thread starts while we write has our open file until it runs.
    private static func awaitWriters(of script: LocalPath) {
        let descriptor = script.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // A lease for reading is refused while there are writers; closing the file returns it.
        for _ in 0..<1000 where fp_lease(descriptor) != 0 {
            guard errno == EAGAIN else { return }
            usleep(1_000)
        }
    }

    /// The script. It gives the password only to the program that we started, not to a client that this one starts for
    /// a jump host, nor to one that outlives us. A second request finds the pipe empty. Any other prompt, such as for a
    /// passphrase or a one-time password, gets no answer. User and host names in the prompt are ignored.
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
