import CPlatform
import FileProviding
import Foundation
import Glibc

/// A program that we started and that communicates with us over a socket at its standard input and output.
final class ChildProcess {
    /// Our end of the socket.
    let socket: LocalFileHandle
    private let messages: LocalFileHandle
    private let identifier: pid_t
    private var status: Int32?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: those after the program's own name.
    ///   - variables: added to this process's environment.
    init(_ program: LocalPath, _ arguments: [String], adding variables: [String: String] = [:]) throws {
        let (ours, theirs) = try DescriptorChannel.socketPair()
        let messages = try LocalFileHandle.temporary()
        self.messages = messages
        socket = ours
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirs.descriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, theirs.descriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, messages.descriptor, 2)
        // The program must not inherit any other open file.
        guard fp_spawn_closing(&actions, 3) == 0 else { throw posixError(program, errno, writing: false) }
        // Threads of this process may block or ignore signals; the program has to start with none blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, broken) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &broken)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = [program.withCString { strdup($0) }]
        words += arguments.map { strdup($0) } + [nil]
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        var settings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        // Not the property: a value set there is killed at the end, which would signal every process if nothing was
        // started.
        var started: pid_t = 0
        let result = posix_spawn(&started, words[0]!, &actions, &attributes, &words, &settings)
        guard result == 0 else { throw posixError(program, result, writing: false) }
        identifier = started
    }

    deinit { end() }

    /// Ends the program and waits until it has exited: it has a second to clean up, then it is killed.
    func end() {
        guard status == nil else { return }
        kill(identifier, SIGTERM)
        for _ in 0..<200 {
            var told: Int32 = 0
            if waitpid(identifier, &told, WNOHANG) != 0 {
                note(told)
                return
            }
            usleep(5_000)
        }
        kill(identifier, SIGKILL)
        _ = exitStatus()
    }

    /// Waits for the program and returns its exit status; negative if a signal ended it.
    func exitStatus() -> Int32 {
        if let status { return status }
        var told: Int32 = 0
        while waitpid(identifier, &told, 0) < 0, errno == EINTR {}
        return note(told)
    }

    @discardableResult
    private func note(_ told: Int32) -> Int32 {
        let signal = told & 0x7F
        let result = signal == 0 ? (told >> 8) & 0xFF : -signal
        status = result
        return result
    }

    /// Returns the last few kilobytes of the program's standard error.
    func said() -> String {
        let size = (try? messages.size()) ?? 0
        let data = (try? messages.read(at: max(0, size - 4096), count: 4096)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
