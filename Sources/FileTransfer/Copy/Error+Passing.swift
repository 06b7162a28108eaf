import FileProviding
import Foundation

extension Error {
    /// Whether trying again may help: the way there broke, or the server is overloaded.
    var isPassing: Bool {
        if let error = self as? URLError {
            return [
                .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .notConnectedToInternet,
                .resourceUnavailable,
            ].contains(error.code)
        }
        guard let status = httpStatus else { return isItemLocked }
        return [408, 425, 429, 500, 502, 503, 504, 509].contains(status)
    }

    /// Whether what has arrived may be continued by another run: the bytes are right, only the way there is closed.
    var isContinuable: Bool {
        isPassing
            || (self as? URLError).map { error in
                [
                    .userAuthenticationRequired, .secureConnectionFailed, .serverCertificateUntrusted,
                    .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
                ].contains(error.code)
            } ?? false
    }

    /// Whether the storage may be gone: it did not answer, or a gateway answered in its stead.
    var isOutage: Bool {
        if let error = self as? URLError {
            return [
                .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
                .notConnectedToInternet,
            ].contains(error.code)
        }
        if let status = httpStatus { return [502, 503, 504].contains(status) }
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

    private var isItemLocked: Bool { (self as? CocoaError)?.code == .fileLocking }

    private var httpStatus: Int? {
        if let error = self as? any FileProviderHTTPError { return error.statusCode }
        let underlying = (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey]
        return (underlying as? any FileProviderHTTPError)?.statusCode
    }
}
