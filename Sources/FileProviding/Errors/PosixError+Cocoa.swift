import Foundation
import Glibc

/// Returns the `CocoaError` for an `errno`: the meaning wherever a provider does not know a more precise one.
///
/// - Parameter writing: whether the call was to change something; Foundation has separate codes for reading and
///   writing.
package func posixError(_ path: some CustomStringConvertible, _ number: Int32, writing: Bool) -> CocoaError {
    let code: CocoaError.Code =
        switch number {
        case ENOENT: writing ? .fileNoSuchFile : .fileReadNoSuchFile
        case ENOTDIR: writing ? .fileWriteUnknown : .fileReadUnknown
        case EACCES, EPERM: writing ? .fileWriteNoPermission : .fileReadNoPermission
        case EEXIST, ENOTEMPTY: .fileWriteFileExists
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case EROFS: .fileWriteVolumeReadOnly
        case ENAMETOOLONG, EILSEQ: writing ? .fileWriteInvalidFileName : .fileReadInvalidFileName
        case EXDEV: writing ? .fileWriteNoPermission : .fileReadNoPermission
        case EFBIG, EOVERFLOW: .fileReadTooLarge
        case ENOTSUP, ENOSYS: .featureUnsupported
        default: writing ? .fileWriteUnknown : .fileReadUnknown
        }
    let reason = number == ENOENT || number == EACCES ? nil : String(cString: strerror(number))
    return cocoaError(
        path, code: code, reason: reason, underlying: POSIXErrorCode(rawValue: number).map { POSIXError($0) })
}
