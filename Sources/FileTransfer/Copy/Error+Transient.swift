import FileProviding
import Foundation

extension Error {
    /// Whether trying again may help: the way there broke, or the server is overloaded.
    var isTransient: Bool {
        if let code = (self as? URLError)?.code { return code.isConnectionProblem || code == .resourceUnavailable }
        return httpStatus.map(HTTPStatus.isTransient) ?? isItemLocked
    }

    /// Whether what has arrived may be continued by another run: the bytes are right, only the way there is closed.
    var isContinuable: Bool {
        if isTransient || isItemLocked { return true }
        guard let code = (self as? URLError)?.code else { return false }
        return code.isCertificateProblem || [.userAuthenticationRequired, .secureConnectionFailed].contains(code)
    }

    /// Whether the storage may be gone: it did not answer, or a gateway answered in its stead.
    var isOutage: Bool {
        if let code = (self as? URLError)?.code { return code.isConnectionProblem }
        if let status = httpStatus { return HTTPStatus.isGatewayFault(status) }
        return ((self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? URLError)?.isOutage ?? false
    }

    /// Whether it ends the whole transfer.
    var endsTransfer: Bool { isCancellation || self is StorageGone }

    /// Whether the storage asks for less.
    var isOverload: Bool { isTimeout || httpStatus.map { [429, 503, 509].contains($0) } ?? false }

    /// Whether the storage was waited for in vain.
    var isTimeout: Bool { (self as? URLError)?.code == .timedOut }

    /// Whether the destination cannot hold such a name.
    var isInvalidFileName: Bool { (self as? CocoaError)?.code == .fileWriteInvalidFileName }
}
