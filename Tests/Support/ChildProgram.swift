import CPlatform
import FileProviding
import Foundation
import Glibc

/// A program that a test has started. It has only the standard streams and blocks no signal.
///
/// Foundation's `Process` looks for open files with a copy that reads beyond a buffer's end, which AddressSanitizer
/// reports and which can end the tests.
package final class ChildProgram: Sendable {
    /// Where a standard stream comes from or goes to.
    package enum Stream {
        case nothing, inherited
        /// The test has the other end; this one is closed here once the program has it.
        case pipe(Pipe)
        /// A file that is written from its start.
        case file(URL)
    }

    package let processIdentifier: pid_t
    private let status = Locked<Int32?>(nil)

    /// Starts a program, found along `PATH` where it is no path.
    ///
    /// - Parameters:
    ///   - folder: its working directory; else ours.
    ///   - environment: all its variables; else ours.
    package init(
        _ program: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
        input: Stream = .nothing, output: Stream = .inherited, errors: Stream = .inherited
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [input, output, errors].enumerated() {
            let descriptor = Int32(number)
            switch stream {
            case .inherited: break
            case .nothing: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            case .pipe(let pipe):
                posix_spawn_file_actions_adddup2(&actions, Self.end(of: pipe, number).fileDescriptor, descriptor)
            case .file(let url):
                posix_spawn_file_actions_addopen(
                    &actions, descriptor, url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            }
        }
        guard fp_spawn_closing(&actions, 3) == 0 else { throw POSIXError(.ENOMEM) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let command = (folder.map { ["env", "-C", $0.path] } ?? []) + [program] + arguments
        var words = command.map { strdup($0) } + [nil]
        let variables = environment ?? ProcessInfo.processInfo.environment
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var identifier: pid_t = 0
        let result = posix_spawnp(&identifier, command[0], &actions, &attributes, &words, &settings)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EINVAL) }
        processIdentifier = identifier
        for (number, stream) in [input, output, errors].enumerated() {
            if case .pipe(let pipe) = stream { try Self.end(of: pipe, number).close() }
        }
    }

    /// Runs a program to its end; returns its status as ``wait()`` does.
    @discardableResult
    package static func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
        errors: Stream = .inherited
    ) throws -> Int32 {
        try ChildProgram(program, arguments, in: folder, environment: environment, errors: errors).wait()
    }

    package var isRunning: Bool { end(waiting: false) == nil }

    /// Waits for the end; returns what the program exited with, or 128 and the signal that ended it.
    @discardableResult
    package func wait() -> Int32 { end(waiting: true) ?? -1 }

    private func end(waiting: Bool) -> Int32? {
        var told = siginfo_t()
        // Nobody holds the lock while the program runs.
        while waiting, waitid(P_PID, id_t(processIdentifier), &told, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return status.withLock { status in
            var told: Int32 = 0
            if status == nil, waitpid(processIdentifier, &told, WNOHANG) == processIdentifier {
                let signal = told & 0x7F
                status = signal == 0 ? (told >> 8) & 0xFF : 128 + signal
            }
            return status
        }
    }

    /// The end of a pipe that the program gets.
    private static func end(of pipe: Pipe, _ number: Int) -> FileHandle {
        number == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting
    }
}
