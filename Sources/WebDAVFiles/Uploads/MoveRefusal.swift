import FileProviding
import Foundation

/// The reason why a server gives no file its final name.
enum MoveRefusal: Sendable {
    /// The user may add files but do nothing else with them.
    case forbidden
    /// MOVE is not supported.
    case unknown(status: Int)

    /// Returns the refusal as an error about a file that was to be written.
    func error(_ path: ItemPath) -> CocoaError {
        switch self {
        case .forbidden:
            cocoaError(
                path, code: .fileWriteNoPermission,
                reason: "this user may add files but not rename them, and a file gets its name when it is whole")
        case .unknown(let status):
            FileError.unsupported(
                path, "the server moves nothing (\(status)), and a file gets its name when it is whole")
        }
    }
}
