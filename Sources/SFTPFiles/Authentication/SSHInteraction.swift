/// Asks the person what only they can answer while a connection is being made: a terminal asks, an app shows a dialogue.
///
/// Called one question after the other; the connection waits.
public protocol SSHInteraction: Sendable {
    /// Whether this is the key of the host that is meant. A yes adds it to the known hosts.
    func shouldTrust(_ key: SSHHostKey) async -> Bool

    /// The answer to a question, or `nil` for none.
    func answer(_ question: SSHQuestion) async -> String?
}

/// A question whose answer lets someone in.
public struct SSHQuestion: Sendable, Hashable {
    /// What is asked for.
    public enum Kind: Sendable, Hashable {
        /// The passphrase of a private key's file.
        case passphrase
        /// Whatever the server asks (keyboard-interactive, RFC 4256).
        case challenge
    }

    /// What is asked for.
    public var kind: Kind
    /// The question in words.
    public var text: String
    /// Whether the answer may be seen while it is typed.
    public var echoes: Bool

    /// A question.
    public init(_ kind: Kind, text: String, echoes: Bool = false) {
        self.kind = kind
        self.text = text
        self.echoes = echoes
    }
}
