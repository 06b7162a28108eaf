import FileProviding

/// Paths in the OpenSSH client's options, whose values it splits, unescapes and expands (ssh_config(5), "TOKENS" and
/// "ENVIRONMENT VARIABLES").
enum OpenSSHPath {
    private static let dollar = "FP_SSH_DOLLAR"
    /// The client's required environment variables: one has the value `$`, the only way to write that before a brace.
    static let variables = [dollar: "$"]

    /// Returns the path quoted and escaped, so that the client uses it unchanged.
    static func quoted(_ path: LocalPath) -> String {
        let text = path.description.replacing("%", with: "%%").replacing("${", with: "${\(dollar)}{")
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
