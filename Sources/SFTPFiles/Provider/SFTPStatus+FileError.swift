import FileProviding
import Foundation

/// Runs work about one item: a server's refusal becomes that item's error.
func about<Result>(
    _ path: ItemPath, writing: Bool = false, _ work: () async throws -> Result
) async throws -> Result {
    do {
        return try await work()
    } catch let status as SFTPStatus {
        throw sftpError(path, status, writing: writing)
    } catch is ChangedFile {
        throw FileError.changed(path)
    }
}

/// Returns the error that a server's status means for an item: the one place where statuses are translated. Only
/// that the server has lost a connection of its own is worth a retry.
func sftpError(_ path: some CustomStringConvertible, _ status: SFTPStatus, writing: Bool) -> any Error {
    switch status.code == .failure ? named[status.message] ?? .failure : status.code {
    case .noSuchFile, .noSuchPath: FileError.noSuchFile(path, writing: writing)
    case .permissionDenied: refusal(path, status, writing ? .fileWriteNoPermission : .fileReadNoPermission, .EACCES)
    case .alreadyExists: FileError.exists(path)
    case .writeProtected: refusal(path, status, .fileWriteVolumeReadOnly, .EROFS)
    case .noSpace, .quotaExceeded: refusal(path, status, .fileWriteOutOfSpace, .ENOSPC)
    case .notADirectory: FileError.notADirectory(path, writing: writing)
    case .isADirectory: FileError.isADirectory(path, writing: writing)
    case .unsupported: FileError.unsupported(path, "the server cannot do it: \(words(status))")
    // OpenSSH gives this answer for names that are too long and for invalid arguments.
    case .badMessage, .invalidFileName:
        refusal(path, status, writing ? .fileWriteInvalidFileName : .fileReadInvalidFileName, .EINVAL)
    case .lockConflict: refusal(path, status, .fileLocking, .EBUSY)
    case .noConnection, .connectionLost:
        urlError(nil, code: .networkConnectionLost, reason: "\(path): the server says: \(words(status))")
    case .ok, .endOfFile, .failure:
        refusal(path, status, writing ? .fileWriteUnknown : .fileReadUnknown, .EIO)
    }
}

/// The messages of servers whose only code for these failures in version 3 is "failure" (ProFTPD).
private let named: [String: SFTPStatus.Code] = [
    "Not a directory": .notADirectory, "Is a directory": .isADirectory, "No space left on device": .noSpace,
    "Disk quota exceeded": .quotaExceeded,
]

private func refusal(
    _ path: some CustomStringConvertible, _ status: SFTPStatus, _ code: CocoaError.Code, _ number: POSIXErrorCode
) -> CocoaError {
    cocoaError(path, code: code, reason: "the server says: \(words(status))", underlying: POSIXError(number))
}

private func words(_ status: SFTPStatus) -> String {
    status.message.isEmpty ? "status \(status.rawCode)" : status.message
}
