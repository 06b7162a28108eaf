import FileProviding
import Foundation

/// The reason why an operation was not done, in a form that can be stored and that says what it means for a command.
public struct EventFailure: Error, Hashable, Sendable, Codable {
    /// The meaning of a failure.
    public enum Meaning: String, Sendable, Codable {
        /// The server could not be reached: nothing has happened.
        case unreachable
        /// The connection to the server broke: the operation may have been done.
        case interrupted
        /// The server's certificate is not trusted: nothing was sent.
        case untrusted
        /// The server reports that it has moved permanently: nothing has happened.
        case redirected
        /// The server is in maintenance.
        case maintenance
        /// A proxy gets no answer, or none that makes sense, from the server behind it: the operation may have been
        /// done.
        case unanswered
        /// This machine's disk has no room for what the operation needs, or is not writable: the operation may have
        /// been done.
        case hindered
        /// The server has failed or is overloaded: the operation may have been done.
        case troubled
        /// The server does not accept the credential.
        case unauthenticated
        /// The item, or the directory for it, does not exist.
        case missing
        /// Another item is at the path.
        case occupied
        /// A directory is in place of a file, or a file in place of a directory.
        case blocked
        /// The item has another version by now.
        case changed
        /// The item is locked by someone else.
        case locked
        /// The command or its task was cancelled.
        case cancelled
        /// The server refused: a lack of permission or space, an impossible name, or anything else.
        case refused
    }

    /// The meaning of the failure.
    public var meaning: Meaning
    /// The message for display.
    public var text: String
    /// The untrusted certificate, if that is the reason.
    public var certificate: ServerCertificate?
    /// The server's new address, if that is the reason.
    public var redirection: URL?
    private var domain: String
    private var code: Int
    /// The item that the error is about, as it names it; `nil` also in failures of earlier versions.
    private var path: String?

    /// Creates a failure from an error; an error that is already a failure is used as it is.
    ///
    /// - Parameter isHere: whether it is about files of this machine, if the error alone does not show that.
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
        path = bridged.userInfo[NSFilePathErrorKey] as? String ?? (error as? any FileProviderHTTPError)?.path
    }

    /// Returns the failure with the path that its item has below a directory of the storage, as the vault names it.
    package func relative(to root: ItemPath) -> EventFailure {
        guard meaning != .hindered, let path, let item = try? ItemPath(validating: path).relative(to: root) else {
            return self
        }
        var failure = self
        failure.path = item.description
        if text.hasPrefix("\(path): ") { failure.text = item.description + text.dropFirst(path.count) }
        return failure
    }

    /// The error as Foundation represents it, with the same message, and about the same item.
    public var error: any Error {
        var info = [NSLocalizedDescriptionKey: text]
        info[NSFilePathErrorKey] = path
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
    /// What the failure shows about the connection to the server, if anything.
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

    /// Whether it may be about one item alone, for example if that is on another storage: whether the root answers
    /// shows that.
    var mayBeAboutOneItem: Bool { self == .maintenance || self == .unanswered }

    /// Whether it may be about what is done with one item, which may exceed what a proxy lets through, or not be this
    /// account's: if the server keeps answering other requests, it is.
    var mayBeAboutOneCommand: Bool {
        mayBeAboutOneItem || [.interrupted, .unauthenticated, .redirected].contains(self)
    }

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
            // Something was done before the connection broke.
            let meaning = Self(underlying.code)
            self = meaning == .unreachable ? .interrupted : meaning
        } else if error.underlyingPOSIX == .EINVAL {
            // Something that is impossible, however often it is tried.
            self = .refused
        } else {
            self.init(status: error.httpStatus, code: (error as? CocoaError)?.code)
        }
    }

    private init(_ code: URLError.Code) {
        switch code {
        // A token that cannot be sent over plain HTTP needs another credential.
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
