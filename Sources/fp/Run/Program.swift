import ArgumentParser
import FileProviders
import Foundation
import Logging

/// The program from its arguments to its exit status.
enum Program {
    /// Parses and runs; returns the exit status.
    static func run(_ arguments: [String], environment: Environment) async -> Int32 {
        startLogging(environment)
        do {
            var command = try FP.parseAsRoot(arguments)
            guard let invoked = command as? any InvokedCommand else {
                try command.run()
                return ExitStatus.success
            }
            return await run(invoked, arguments, environment)
        } catch {
            return explain(error, arguments)
        }
    }

    private static func run(
        _ command: any InvokedCommand, _ arguments: [String], _ environment: Environment
    ) async -> Int32 {
        let invocation = Invocation(
            command: type(of: command).name, arguments: arguments, environment: environment, options: command.access)
        do {
            try await command.run(in: invocation)
            try invocation.output.flush()
        } catch let end as StandardOutput.Ended {
            if let failure = end.failure { invocation.failed(failure) }
        } catch {
            try? invocation.output.flush()
            if error.isCancellation { invocation.noteInterruption() } else { invocation.failed(error) }
        }
        return invocation.tally.exitStatus
    }

    /// Writes help and version to standard output; a usage error in one line to standard error.
    private static func explain(_ error: any Error, _ arguments: [String]) -> Int32 {
        let code = FP.exitCode(for: error).rawValue
        let command = (["fp"] + FP.words(beginning: arguments)).joined(separator: " ")
        if let word = code == ExitStatus.success ? unknownHelp(arguments) : FP.unknownWord(beginning: arguments) {
            Messages.write("fp: no command “\(ShownName.escaped(word))”; see `\(command) --help`\n")
            return ExitStatus.usage
        }
        if let message = unknownOption(arguments, isHelp: code == ExitStatus.success) {
            return misuse(message, of: command)
        }
        guard code != ExitStatus.success else {
            let output = StandardOutput()
            do {
                try output.line(FP.fullMessage(for: error))
                try output.flush()
            } catch let end as StandardOutput.Ended {
                guard let failure = end.failure else { return code }
                Messages.write("fp: \(ErrorText.line(failure, at: nil))\n")
                return ExitStatus.failure
            } catch {}
            return code
        }
        return misuse(withoutPasswords(FP.message(for: error), arguments), of: command)
    }

    /// Reports a usage error in one line.
    private static func misuse(_ message: String, of command: String) -> Int32 {
        let text = message.split(separator: "\n").map { ShownName.escaped(String($0)) }.joined(separator: " ")
        Messages.write("fp: \(text.hasSuffix(".") ? String(text.dropLast()) : text); see `\(command) --help`\n")
        return ExitStatus.usage
    }

    /// Returns the argument of `fp help` that is not a command.
    private static func unknownHelp(_ arguments: [String]) -> String? {
        guard arguments.first == "help" else { return nil }
        let words = arguments.dropFirst().filter { !$0.hasPrefix("-") }
        return words.dropFirst(FP.words(beginning: words).count).first
    }

    /// Returns the error for an unknown option that the parser does not report: since an argument is missing as well,
    /// or in a cluster that also contains `h`, such as `-dash`, which would only show the help.
    private static func unknownOption(_ arguments: [String], isHelp: Bool) -> String? {
        let options = arguments.prefix { $0 != "--" }
        let others = options.map { option in
            let isCluster =
                isHelp && option.hasPrefix("-") && !option.hasPrefix("--") && option.count > 2 && option != "-help"
            return isCluster ? option.replacing("h", with: "") : option
        }
        guard !isHelp || others != Array(options) else { return nil }
        // Add up to two arguments, until it is not one of these that is missing.
        for missing in 0...2 {
            let whole = others + arguments.dropFirst(options.count) + Array(repeating: "x", count: missing)
            do { _ = try FP.parseAsRoot(whole) } catch {
                let message = FP.message(for: error)
                if message.hasPrefix("Unknown option") { return message }
            }
        }
        return nil
    }

    /// Returns a message that may repeat arguments, without the passwords in them.
    private static func withoutPasswords(_ message: String, _ arguments: [String]) -> String {
        arguments.reduce(message) { message, argument in
            let shown = LocationParser.shown(Array(argument.utf8))
            return shown == argument ? message : message.replacing(argument, with: shown)
        }
    }

    /// Starts logging: the libraries' own messages are for developers, so they are silent unless `$FP_LOG` requests
    /// them.
    private static func startLogging(_ environment: Environment) {
        let level = environment.logLevel.flatMap { Logger.Level(rawValue: $0.lowercased()) }
        if level == nil, let text = environment.logLevel, !text.isEmpty {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            Messages.write("fp: FP_LOG=\(ShownName.escaped(text)) is no level; the levels are \(known)\n")
        }
        LoggingSystem.bootstrap { label in
            guard let level else { return SwiftLogNoOpLogHandler() }
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
    }
}
