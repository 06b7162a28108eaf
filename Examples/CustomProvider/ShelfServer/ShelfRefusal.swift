import FileProviding
import FlyingFox
import Foundation

/// A provider's error as a status and a sentence.
struct ShelfRefusal: Encodable {
    let error: String
    private let status: HTTPStatusCode

    private enum CodingKeys: CodingKey { case error }

    /// - Parameter isListing: whether the entries of a folder were requested, which a file does not have.
    init(_ error: any Error, isListing: Bool) {
        self.error = error.localizedDescription
        status =
            switch error {
            case _ where error.isNoSuchFile: .notFound
            case _ where error.isFileExists || error.isItemChanged: .preconditionFailed
            case _ where error.isNotADirectory: isListing ? .methodNotAllowed : .notFound
            case _ where error.isADirectory: .methodNotAllowed
            case _ where error.isUnsupported: .notImplemented
            case let error as CocoaError: Self.status(of: error.code)
            default: .internalServerError
            }
    }

    private static func status(of code: CocoaError.Code) -> HTTPStatusCode {
        switch code {
        case .fileReadNoPermission, .fileWriteNoPermission, .fileWriteVolumeReadOnly: .forbidden
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: .badRequest
        case .fileWriteOutOfSpace: HTTPStatusCode(507, phrase: "Insufficient Storage")
        default: .conflict
        }
    }

    /// Returns the refusal: at once if the request's bytes have not been sent, otherwise when they have been read.
    func response(to body: RequestBody) async -> HTTPResponse {
        let hangsUp = body.isUnsent
        if !hangsUp { try? await body.drain() }
        return (try? .json(self, status: status, closes: hangsUp)) ?? HTTPResponse(statusCode: status)
    }
}
