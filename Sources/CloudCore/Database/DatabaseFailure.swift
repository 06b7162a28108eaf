import FileProviding
import Foundation
import GRDB

/// The meaning of SQLite's failures for the vault: the one place where they become `CocoaError`s.
enum DatabaseFailure {
    static func meaning(of error: DatabaseError, _ file: LocalPath) -> any Error {
        let code: CocoaError.Code
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: code = .fileReadCorruptFile
        case .SQLITE_FULL: code = .fileWriteOutOfSpace
        case .SQLITE_READONLY: code = .fileWriteVolumeReadOnly
        case .SQLITE_BUSY, .SQLITE_LOCKED: code = .fileLocking
        case .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: code = .fileWriteNoPermission
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: return CancellationError()
        default: code = .fileWriteUnknown
        }
        let reason =
            code == .fileReadCorruptFile
            ? "\(error.message ?? "damaged"); the next opening of the vault sets it aside and keeps every copy"
            : error.message
        return cocoaError(file, code: code, reason: reason, underlying: error)
    }

    /// Returns whether there is no room on the disk, or for what several connections share.
    static func isLackOfSpace(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }
}
