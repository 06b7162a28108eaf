import FileProviding
import Foundation

extension Error {
    /// Whether the source can be read only once and has been.
    var isReadOnce: Bool { underlyingPOSIX == .ESPIPE }

    /// Whether trying again may help: the connection broke, the server is overloaded, or somebody has locked the item.
    var isTransient: Bool {
        if let code = (self as? URLError)?.code { return code.isConnectionProblem || code == .resourceUnavailable }
        return httpStatus.map(HTTPStatus.isTransient) ?? false || isItemLocked
    }

    /// Whether another run may continue from the bytes that have arrived: they are right, only the connection failed.
    var isContinuable: Bool {
        if isTransient { return true }
        return isLockout || (self as? URLError)?.code == .secureConnectionFailed
    }

    /// Whether the storage refused the credential, or was refused for its certificate.
    var isLockout: Bool {
        guard let code = (self as? URLError)?.code else { return false }
        return code == .userAuthenticationRequired || code.isCertificateProblem
    }

    /// Whether the storage may be gone: it did not answer, a gateway answered for it, or it may refuse everything.
    var isOutage: Bool {
        if let code = (self as? URLError)?.code { return code.isConnectionProblem }
        if let status = httpStatus { return HTTPStatus.isGatewayFault(status) || status == 429 }
        return ((self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? URLError)?.isOutage ?? false
    }

    /// Whether it ends the whole transfer. An error that only looks like a cancellation, such as a delegate's refusal
    /// of one operation, does not.
    var endsTransfer: Bool { Task.isCancelled || self is CancellationError || self is StorageGone }

    /// Whether the storage asks for fewer requests.
    var isOverload: Bool { isTimeout || httpStatus.map { [429, 503, 509].contains($0) } ?? false }

    /// Whether the storage did not answer in time.
    var isTimeout: Bool { (self as? URLError)?.code == .timedOut }

    /// Whether the destination cannot hold such a name.
    package var isInvalidFileName: Bool { (self as? CocoaError)?.code == .fileWriteInvalidFileName }
}
