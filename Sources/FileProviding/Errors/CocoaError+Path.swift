import Foundation

/// A file error with its path, what is known of the cause, and text that stands alone in a terminal.
///
/// The specification's `cocoaError(_:code:)`. Foundation's texts on Linux are bare codes, so this supplies the sentence.
///
/// - Parameters:
///   - path: the item the error is about, as the person wrote it.
///   - code: Foundation's code for the file's trouble.
///   - reason: what more is known, a phrase without a full stop: "the server's disk is full".
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

extension CocoaError.Code {
    /// The code in a few plain words.
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
