import ArgumentParser

/// `fp completion`.
struct CompletionCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Write a completion script for a shell.",
        discussion: """
            Examples:
              fp completion bash > ~/.local/share/bash-completion/completions/fp
              fp completion zsh > ~/.zsh/completions/_fp
              fp completion fish > ~/.config/fish/completions/fp.fish
            """)

    /// A shell that a script can be written for.
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        /// GNU Bash.
        case bash
        /// The Z shell.
        case zsh
        /// Fish.
        case fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run(in invocation: Invocation) async throws {
        let known: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        try invocation.output.line(FP.completionScript(for: known))
    }
}
