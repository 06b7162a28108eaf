import ArgumentParser

/// A subcommand that does something: it is handed its surroundings instead of reaching for them.
protocol InvokedCommand: AsyncParsableCommand {
    /// How locations are reached; the defaults for a command that reaches none.
    var access: AccessOptions { get }

    /// Does it. What fails for one location is named through the invocation; what is thrown ends the command.
    func run(in invocation: Invocation) async throws
}

extension InvokedCommand {
    var access: AccessOptions { AccessOptions() }

    /// The name as it is typed: `ls`, `remote add`.
    static var name: String { FP.words(of: self).joined(separator: " ") }
}
