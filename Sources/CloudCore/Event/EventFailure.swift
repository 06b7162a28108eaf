import FileProviding
import Foundation

/// Why an operation was not done, in a form that can be stored and that says what it means for a command.
public struct EventFailure: Error, Hashable, Sendable, Codable {
    /// What a failure means.
    public enum Meaning: String, Sendable, Codable {
        /// The server could not be reached: nothing has happened.
        case unreachable
        /// The way to the server broke: what was asked may have happened.
        case interrupted
        /// The server's certificate is not trusted: nothing was sent.
        case untrusted
        /// The server says that it is elsewhere for good: nothing has happened.
        case redirected
        /// The server is in maintenance.
        case maintenance
        /// A proxy hears nothing, or nothing sensible, from the server behind it: what was asked may have happened.
        case unanswered
        /// This machine's disk has no room for what the operation needs, or cannot be written: what was asked may have
        /// happened.
        case hindered
        /// The server has trouble with this or too much to do: what was asked may have happened.
        case troubled
        /// The server does not know who is asking.
        case unauthenticated
        /// The item, or the directory for it, is not there.
        case missing
        /// Another item is there.
        case occupied
        /// A directory is where a file was to be, or a file where a directory was to be.
        case blocked
        /// The item is another version by now.
        case changed
        /// The item is locked by someone else.
        case locked
        /// The command or its task was cancelled.
        case cancelled
        /// The server said no: a lack of permission or space, an impossible name, anything else.
        case refused
    }

    /// What the failure means.
    public var meaning: Meaning
    /// What went wrong, for people.
    public var text: String
    /// The certificate that is not trusted, where that is why.
    public var certificate: ServerCertificate?
    /// Where the server says that it is, where that is why.
    public var redirection: URL?
    private var domain: String
    private var code: Int

    /// What an error means; one that is a failure already is that.
    ///
    /// - Parameter isHere: whether it is about files of this machine, where that would not show.
    public init(_ error: any Error, isHere: Bool = false) {
        if let failure = error as? EventFailure {
            self = failure
            return
        }
        let error = error.isCancellation ? CocoaError(.userCancelled) : error
        meaning = isHere && !error.isCancellation ? .hindered : Meaning(error)
        text = error.localizedDescription
        certificate = (error as? URLError)?.serverCertificate
        redirection = (error as? URLError)?.permanentRedirection
        let bridged = error as NSError
        (domain, code) = (bridged.domain, bridged.code)
    }

    /// The error as Foundation has it, with the text it had.
    public var error: any Error {
        let info = [NSLocalizedDescriptionKey: text]
        switch domain {
        case NSCocoaErrorDomain: return CocoaError(CocoaError.Code(rawValue: code), userInfo: info)
        case NSURLErrorDomain: return URLError(URLError.Code(rawValue: code) ?? .unknown, userInfo: info)
        default: return NSError(domain: domain, code: code, userInfo: info)
        }
    }
}

extension EventFailure: LocalizedError {
    /// The same as ``text``.
    public var errorDescription: String? { text }
}

extension EventFailure.Meaning {
    /// What the failure says of the way to the server, if anything.
    var status: ConnectionStatus? {
        switch self {
        case .unreachable, .interrupted, .unanswered: .offline
        case .maintenance: .maintenance
        case .unauthenticated: .unauthenticated
        case .untrusted: .untrusted
        case .redirected: .redirected
        case .hindered, .troubled, .missing, .occupied, .blocked, .changed, .locked, .cancelled, .refused: nil
        }
    }

    /// Whether it may be about one item alone, as where that lies on another storage: whether the root answers, tells.
    var mayBeAboutOneItem: Bool { self == .maintenance || self == .unanswered }

    /// Whether it may be about what is done with one item, which may be more than a proxy lets through, or not this account's:
    /// where the server answers others again and again, it is.
    var mayBeAboutOneCommand: Bool { mayBeAboutOneItem || self == .interrupted || self == .unauthenticated }

    fileprivate init(_ error: any Error) {
        if error.isCancellation {
            self = .cancelled
        } else if error.isItemChanged {
            self = .changed
        } else if error.isNoSuchFile || error.isNotADirectory {
            self = .missing
        } else if error.isADirectory {
            self = .blocked
        } else if error.isFileExists {
            self = .occupied
        } else if let error = error as? URLError {
            self = error.permanentRedirection == nil ? .init(error.code) : .redirected
        } else if let underlying = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? URLError {
            // Something was done before the way broke.
            let meaning = Self(underlying.code)
            self = meaning == .unreachable ? .interrupted : meaning
        } else if ((error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EINVAL {
            // What cannot be, however often it is asked for.
            self = .refused
        } else {
            self.init(status: error.httpStatus, code: (error as? CocoaError)?.code)
        }
    }

    private init(_ code: URLError.Code) {
        switch code {
        // A token that does not go over plain HTTP is another credential's matter.
        case .userAuthenticationRequired, .clientCertificateRejected, .appTransportSecurityRequiresSecureConnection:
            self = .unauthenticated
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed:
            self = .unreachable
        case _ where code.isCertificateProblem: self = .untrusted
        case .badURL, .unsupportedURL, .dataLengthExceedsMaximum, .noPermissionsToReadFile: self = .refused
        default: self = .interrupted
        }
    }

    private init(status: Int?, code: CocoaError.Code?) {
        switch (status, code) {
        case (_, .fileLocking): self = .locked
        case (503, _): self = .maintenance
        case (502, _), (504, _): self = .unanswered
        case (301, _), (308, _): self = .redirected
        case (408, _), (425, _), (429, _), (500, _), (509, _), (nil, .fileWriteUnknown): self = .troubled
        default: self = .refused
        }
    }
}
