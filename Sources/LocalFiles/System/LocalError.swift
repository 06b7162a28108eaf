import FileProviding
import Foundation

/// Runs work about one item: a system call's failure becomes that item's error.
///
/// - Parameter source: the item that is read in the course of it, if there is one, for failures of reading.
func about<Result>(
    _ path: ItemPath, writing: Bool = false, reading source: ItemPath? = nil, _ work: () throws -> Result
) throws -> Result {
    do {
        return try work()
    } catch let error as Errno {
        throw localError(path, error, writing: writing)
    } catch let failure as ReadFailure {
        throw localError(source ?? path, failure.cause, writing: false)
    }
}

/// Returns the error of a local provider's item that a system call's failure means.
func localError(_ path: ItemPath, _ error: Errno, writing: Bool) -> CocoaError {
    let code: CocoaError.Code = writing ? .fileWriteNoPermission : .fileReadNoPermission
    return switch error.code {
    case EXDEV:
        cocoaError(
            path, code: code, reason: "a symbolic link on the way leads outside the provider's root",
            underlying: POSIXError(.EXDEV))
    case ELOOP:
        cocoaError(
            path, code: writing ? .fileWriteUnknown : .fileReadUnknown, reason: "too many levels of symbolic links",
            underlying: POSIXError(.ELOOP))
    case ENOTDIR:
        cocoaError(
            path, code: writing ? .fileNoSuchFile : .fileReadNoSuchFile,
            reason: "what should hold it is not a directory", underlying: POSIXError(.ENOTDIR))
    case EINVAL where writing && path.lastComponent?.isRefusedSomewhere ?? false:
        cocoaError(
            path, code: .fileWriteInvalidFileName, reason: "its file system does not allow such a name",
            underlying: POSIXError(.EINVAL))
    case EEXIST: FileError.exists(path)
    case ESTALE: FileError.changed(path)
    case EISDIR: FileError.isADirectory(path, writing: writing)
    default: posixError(path, error.code, writing: writing)
    }
}
