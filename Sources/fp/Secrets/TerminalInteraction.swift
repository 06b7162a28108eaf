import FileProviders

/// Asks the user at the terminal what an SSH connection needs to know.
struct TerminalInteraction: SSHInteraction {
    /// Creates an interaction; `nil` if there is no terminal.
    init?() { guard Terminal() != nil else { return nil } }

    func shouldTrust(_ key: SSHHostKey) async -> Bool {
        guard let terminal = Terminal() else { return false }
        terminal.say(
            """
            fp: the host \(ShownName.escaped(key.host)) is not known yet
                key          \(ShownName.escaped(key.algorithm))
                fingerprint  \(key.fingerprint)

            """)
        return (try? terminal.confirm("Trust this key for \(ShownName.escaped(key.host))?")) ?? false
    }

    func answer(_ question: SSHQuestion) async -> String? {
        guard let terminal = Terminal() else { return nil }
        let text = question.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { ShownName.escaped(String($0)) }.joined(separator: "\n")
        return try? question.echoes ? terminal.ask(text) : terminal.askSecretly(text)
    }
}
