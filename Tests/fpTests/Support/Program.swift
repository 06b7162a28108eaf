import Foundation
import TestSupport

/// The built `fp`, run as people run it: as a process, without a terminal.
struct Program {
    /// How a run ended.
    struct Outcome {
        var status: Int32
        var output: Data
        var errors: String

        /// Standard output as text.
        var text: String { String(decoding: output, as: UTF8.self) }
        /// Standard output's lines.
        var lines: [String] { text.split(separator: "\n").map(String.init) }
        /// The lines of standard output as JSON objects.
        var objects: [[String: Any]] {
            lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        }
    }

    /// The working directory.
    var folder: URL
    /// Variables beside `PATH`.
    var environment: [String: String] = [:]

    /// The program's file, beside the test bundle.
    static let file: URL = {
        let bundle = URL(
            fileURLWithPath: CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0])
        return bundle.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("fp")
    }()

    /// Runs `fp` and waits for its end.
    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Runs `fp` and waits for its end.
    func run(_ arguments: [String]) throws -> Outcome {
        // A session of its own has no terminal: nothing can be asked.
        try launch("/usr/bin/setsid", ["--wait", Self.file.path] + arguments).wait()
    }

    /// Runs a shell script, in which `fp` is the program.
    func shell(_ script: String) throws -> Outcome {
        try launch("/usr/bin/setsid", ["--wait", "/bin/bash", "-c", script]).wait()
    }

    /// Runs `fp` on a terminal of its own and types `input` there; what it shows is the output.
    func terminal(_ arguments: [String], typing input: String) throws -> Outcome {
        let command = ([Self.file.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let script = "{ sleep 1; printf '%b' '\(input)'; sleep 1; } | script -qec \"\(command)\" /dev/null"
        return try launch("/bin/bash", ["-c", script]).wait()
    }

    /// Runs `fp` on a terminal of its own and answers each question when it is asked; what it shows is the output.
    func terminal(_ arguments: [String], answering answers: [(question: String, answer: String)]) throws -> Outcome {
        let command = ([Self.file.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let keyboard = Pipe()
        let running = try launch("/usr/bin/script", ["-qec", command, "/dev/null"], input: keyboard)
        var shown = 0
        for (question, answer) in answers {
            let isAsked = running.wait {
                !running.process.isRunning || running.outputSoFar.dropFirst(shown).contains(question)
            }
            guard isAsked, running.process.isRunning else { break }
            shown = running.outputSoFar.count
            try keyboard.fileHandleForWriting.write(contentsOf: Data("\(answer)\n".utf8))
        }
        return try running.wait()
    }

    /// Starts `fp` itself, for signals.
    func start(_ arguments: String...) throws -> Running { try start(arguments) }

    /// Starts `fp` itself, for signals.
    func start(_ arguments: [String]) throws -> Running { try launch(Self.file.path, arguments) }

    private func launch(_ program: String, _ arguments: [String], input: Pipe? = nil) throws -> Running {
        let environment = [
            "PATH": "\(Self.file.deletingLastPathComponent().path):/usr/bin:/bin", "HOME": folder.path, "TZ": "UTC",
            "XDG_CONFIG_HOME": folder.appendingPathComponent(".config").path,
            "XDG_STATE_HOME": folder.appendingPathComponent(".config/state").path,
            "XDG_DATA_HOME": folder.appendingPathComponent(".config/data").path,
        ].merging(environment) { $1 }
        return try Running(program, arguments, in: folder, environment, input: input)
    }
}

/// A process on its way; its output goes to files, which never fill up.
final class Running {
    let process: ChildProgram
    private let output: URL
    private let errors: URL

    /// - Parameter input: standard input; else there is none.
    init(
        _ program: String, _ arguments: [String], in folder: URL, _ environment: [String: String], input: Pipe? = nil
    ) throws {
        let files = FileManager.default.temporaryDirectory
        output = files.appendingPathComponent("fp-\(UUID()).out")
        errors = files.appendingPathComponent("fp-\(UUID()).err")
        process = try ChildProgram(
            program, arguments, in: folder, environment: environment, input: input.map { .pipe($0) } ?? .nothing,
            output: .file(output), errors: .file(errors))
    }

    /// What was written to standard output so far.
    var outputSoFar: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// What was written to standard error so far.
    var errorsSoFar: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// Waits for the end.
    func wait() throws -> Program.Outcome {
        let status = process.wait()
        defer { [output, errors].forEach { try? FileManager.default.removeItem(at: $0) } }
        return Program.Outcome(
            status: status, output: try Data(contentsOf: output),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// Waits until `fp watch` reports changes in a folder, by creating a file there again and again.
    func waitUntilItWatches(_ folder: URL, by name: String = "probe") -> Bool {
        let probe = folder.appendingPathComponent(name)
        defer { try? FileManager.default.removeItem(at: probe) }
        return wait {
            try? FileManager.default.removeItem(at: probe)
            try? Data("probe".utf8).write(to: probe)
            return outputSoFar.contains(name)
        }
    }

    /// Waits until `condition` holds, for a while.
    func wait(until condition: () -> Bool) -> Bool {
        for _ in 0..<600 {
            if condition() { return true }
            usleep(50_000)
        }
        return false
    }
}
