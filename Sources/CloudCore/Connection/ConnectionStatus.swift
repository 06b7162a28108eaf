/// How the way to the server stands, as far as the last operation told.
public enum ConnectionStatus: String, Sendable, Hashable, Codable {
    /// Not tried yet.
    case unknown
    /// The server answers.
    case online
    /// The server cannot be reached.
    case offline
    /// The server says that it is in maintenance.
    case maintenance
    /// The server does not know who is asking: the credential is missing, wrong or expired.
    case unauthenticated
    /// The server's certificate is not trusted, or another one than before.
    case untrusted
    /// The server says that it is elsewhere for good.
    case redirected

    /// Whether only a person makes it better, by an answer to its ``issue``. Asking again and again makes it worse: a wrong
    /// password locks accounts.
    public var waitsForPerson: Bool { [.unauthenticated, .untrusted, .redirected].contains(self) }

    /// Whether it makes sense to ask the server for something.
    var allowsOperations: Bool { self == .online || self == .unknown }

    /// The issue that a person has to see to; whoever is told of the status finds it open.
    public var issue: Issue.Kind? {
        switch self {
        case .maintenance: .maintenance
        case .unauthenticated: .authenticationNeeded
        case .untrusted: .certificateUntrusted
        case .redirected: .redirected
        case .unknown, .online, .offline: nil
        }
    }
}
