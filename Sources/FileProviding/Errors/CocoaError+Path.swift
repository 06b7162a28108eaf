import Foundation

/// Returns a file error with its path, the known cause, and a message that is understandable on its own in a terminal.
///
/// This is the specification's `cocoaError(_:code:)`. Foundation's messages on Linux are bare codes, so this supplies
/// the sentence.
///
/// - Parameters:
///   - path: the item the error is about, as the user wrote it.
///   - code: Foundation's code for the failure.
///   - reason: what else is known, a phrase without a full stop: "the server's disk is full".
///   - underlying: the error that caused this one.
public func cocoaError(
    _ path: some CustomStringConvertible, code: CocoaError.Code, reason: String? = nil, underlying: (any Error)? = nil
) -> CocoaError {
    var info: [String: Any] = [NSFilePathErrorKey: path.description]
    let what = "\(path.description): \(code.phrase)"
    info[NSLocalizedDescriptionKey] = reason.map { "\(what) (\($0))" } ?? what
    info[NSLocalizedFailureReasonErrorKey] = reason
    info[NSUnderlyingErrorKey] = underlying
    return CocoaError(code, userInfo: info)
}

extension Error {
    /// Returns an error about an open file as one about the item at a path; any other error unchanged.
    package func ofOpenFile(at path: ItemPath) -> any Error {
        guard let error = self as? CocoaError,
            error.userInfo[NSFilePathErrorKey] as? String == LocalFileHandle.errorPath
        else { return self }
        return cocoaError(
            path, code: error.code, reason: error.userInfo[NSLocalizedFailureReasonErrorKey] as? String,
            underlying: error.userInfo[NSUnderlyingErrorKey] as? any Error)
    }
}

extension CocoaError.Code {
    /// The code as a short phrase.
    var phrase: String {
        switch self {
        case .fileNoSuchFile, .fileReadNoSuchFile: "no such file or directory"
        case .fileWriteFileExists: "the item exists already"
        case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "invalid name"
        case .fileWriteOutOfSpace: "no space left"
        case .fileWriteVolumeReadOnly: "the storage is read-only"
        case .fileReadTooLarge: "too large"
        case .fileReadCorruptFile: "the reply or file is damaged"
        case .fileLocking: "locked by someone else"
        case .featureUnsupported: "not supported here"
        case .userCancelled: "cancelled"
        case .fileReadUnsupportedScheme, .fileWriteUnsupportedScheme: "unsupported URL scheme"
        case .fileReadUnknown: "cannot be read"
        case .fileWriteUnknown: "cannot be written"
        default: "failed (Cocoa error \(rawValue))"
        }
    }
}

func invalidName(_ bytes: [UInt8], _ reason: String? = nil) -> CocoaError {
    cocoaError(String(decoding: bytes, as: UTF8.self), code: .fileReadInvalidFileName, reason: reason)
}
