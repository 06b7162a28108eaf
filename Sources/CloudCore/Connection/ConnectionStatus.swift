import Foundation

/// The state of the connection to the server, as shown by the last operation.
public enum ConnectionStatus: String, Sendable, Hashable, Codable {
    /// The connection was not tried yet.
    case unknown
    /// The server answers.
    case online
    /// The server cannot be reached.
    case offline
    /// The server reports that it is in maintenance.
    case maintenance
    /// The server does not accept the credential: it is missing, wrong or expired.
    case unauthenticated
    /// The server's certificate is not trusted, or is not the previous one.
    case untrusted
    /// The server reports that it has moved permanently.
    case redirected

    /// Whether only the user can improve it, by answering its ``issue``. Repeated requests would make it worse: a wrong
    /// password locks accounts.
    public var needsUser: Bool { [.unauthenticated, .untrusted, .redirected].contains(self) }

    /// Whether operations should be sent to the server.
    var allowsOperations: Bool { self == .online || self == .unknown }

    /// The error for requests to the server while only the user can resolve the problem.
    var error: URLError {
        switch self {
        case .untrusted: URLError(.serverCertificateUntrusted)
        case .redirected: URLError(.resourceUnavailable)
        default: URLError(.userAuthenticationRequired)
        }
    }

    /// The issue for the user to resolve; it is already open when the status is reported.
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
