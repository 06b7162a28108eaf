import ArgumentParser

/// A subcommand that does something: it receives its surroundings instead of reaching for them.
protocol InvokedCommand: AsyncParsableCommand {
    /// How locations are reached; the defaults for a command that uses none.
    var access: AccessOptions { get }

    /// Runs the command. A failure of one location is reported through the invocation; what is thrown ends the command.
    func run(in invocation: Invocation) async throws
}

extension InvokedCommand {
    var access: AccessOptions { AccessOptions() }

    /// The name as it is typed: `ls`, `remote add`.
    static var name: String { FP.words(of: self).joined(separator: " ") }
}
