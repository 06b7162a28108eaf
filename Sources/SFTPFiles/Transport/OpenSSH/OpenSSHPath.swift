import FileProviding

/// Paths in the OpenSSH client's options, whose values it takes apart, unescapes and expands (ssh_config(5), "TOKENS"
/// and "ENVIRONMENT VARIABLES").
enum OpenSSHPath {
    private static let dollar = "FP_SSH_DOLLAR"
    /// The variables that the client must find in its environment: one has the value `$`, since there is no other way to
    /// write that before a brace.
    static let variables = [dollar: "$"]

    /// Returns the path in quotes, so that the client reads it as it is.
    static func quoted(_ path: LocalPath) -> String {
        let text = path.description.replacing("%", with: "%%").replacing("${", with: "${\(dollar)}{")
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
