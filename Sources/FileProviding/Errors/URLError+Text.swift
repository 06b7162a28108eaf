import Foundation

/// Returns a transport error with its URL and a message that is understandable on its own in a terminal.
///
/// This is the specification's `urlError(_:code:)`. The URL is shown without user, password, query and fragment, which
/// can hold secrets.
///
/// - Parameters:
///   - url: where the request was going.
///   - code: Foundation's code for the failure.
///   - reason: what else is known, a phrase without a full stop.
///   - underlying: the error that caused this one.
public func urlError(
    _ url: URL?, code: URLError.Code, reason: String? = nil, underlying: (any Error)? = nil
) -> URLError {
    var info: [String: Any] = [:]
    let shown = url.map(withoutSecrets)
    info[NSURLErrorFailingURLErrorKey] = shown
    let what = [shown?.absoluteString, code.phrase].compactMap { $0 }.joined(separator: ": ")
    info[NSLocalizedDescriptionKey] = reason.map { "\(what) (\($0))" } ?? what
    info[NSUnderlyingErrorKey] = underlying
    return URLError(code, userInfo: info)
}

/// Returns the URL without user, password, query and fragment: safe for an error or a log.
package func withoutSecrets(_ url: URL) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return URL(string: "about:blank")! }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return parts.url ?? URL(string: "about:blank")!
}

extension URLError.Code {
    /// The code as a short phrase.
    var phrase: String {
        switch self {
        case .cannotFindHost: "no such host"
        case .cannotConnectToHost: "cannot connect"
        case .timedOut: "timed out"
        case .networkConnectionLost: "the connection was cut"
        case .badURL: "not a valid URL"
        case .unsupportedURL: "unsupported URL"
        case .badServerResponse: "the server's reply makes no sense"
        case .cannotParseResponse: "the server's reply cannot be understood"
        case .userAuthenticationRequired: "authentication needed: user, password or token refused or missing"
        case .secureConnectionFailed: "no secure connection"
        case .serverCertificateUntrusted: "the server's certificate is not trusted"
        case .serverCertificateHasBadDate: "the server's certificate has expired"
        case .serverCertificateNotYetValid: "the server's certificate is not valid yet"
        case .serverCertificateHasUnknownRoot: "the server's certificate was signed by someone unknown"
        case .clientCertificateRejected: "the client certificate was refused"
        case .httpTooManyRedirects: "too many redirects"
        case .redirectToNonExistentLocation: "the server redirects to a place that cannot be used"
        case .dataLengthExceedsMaximum: "the reply is larger than allowed"
        case .cannotDecodeContentData: "the reply's encoding is broken"
        case .appTransportSecurityRequiresSecureConnection: "not over an unencrypted connection"
        case .resourceUnavailable: "the address is not valid any more"
        case .cancelled: "cancelled"
        case .noPermissionsToReadFile: "permission denied"
        default: "failed (URL error \(rawValue))"
        }
    }
}
