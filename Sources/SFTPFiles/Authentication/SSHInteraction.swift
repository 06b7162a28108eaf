/// Asks the user what only they can answer while a connection is being established: a command-line tool prompts, an app
/// shows a dialog.
///
/// Questions are asked one after another; the connection waits.
public protocol SSHInteraction: Sendable {
    /// Returns whether this is the key of the intended host. A yes adds it to the known hosts.
    func shouldTrust(_ key: SSHHostKey) async -> Bool

    /// Returns the answer to a question, or `nil` for none.
    func answer(_ question: SSHQuestion) async -> String?
}

/// A question whose answer is needed to log in.
public struct SSHQuestion: Sendable, Hashable {
    /// The kind of answer that is requested.
    public enum Kind: Sendable, Hashable {
        /// The passphrase of a private key's file.
        case passphrase
        /// An answer to a question of the server (keyboard-interactive, RFC 4256).
        case challenge
    }

    /// The kind of answer that is requested.
    public var kind: Kind
    /// The text of the question.
    public var text: String
    /// Whether the answer may be visible while it is typed.
    public var echoes: Bool

    /// Creates a question.
    public init(_ kind: Kind, text: String, echoes: Bool = false) {
        self.kind = kind
        self.text = text
        self.echoes = echoes
    }
}
