import FileProviding
import Foundation

extension Error {
    /// Whether trying again may help: the way there broke, or the server is overloaded.
    var isPassing: Bool {
        if let error = self as? URLError {
            return [
                .timedOut, .networkConnectionLost, .cannotConnectToHost, .notConnectedToInternet,
                .resourceUnavailable,
            ].contains(error.code)
        }
        guard let status = httpStatus else { return isItemLocked }
        return [408, 425, 429, 500, 502, 503, 504, 509].contains(status)
    }

    /// Whether the storage asks for less.
    var isOverload: Bool {
        if let error = self as? URLError { return error.code == .timedOut }
        return httpStatus.map { [429, 503, 509].contains($0) } ?? false
    }

    /// Whether the destination cannot hold such a name.
    var isInvalidFileName: Bool { (self as? CocoaError)?.code == .fileWriteInvalidFileName }

    private var isItemLocked: Bool { (self as? CocoaError)?.code == .fileLocking }

    private var httpStatus: Int? {
        if let error = self as? any FileProviderHTTPError { return error.statusCode }
        let underlying = (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey]
        return (underlying as? any FileProviderHTTPError)?.statusCode
    }
}
