import Foundation

/// The errors that all providers throw in common, and questions that callers can ask of any error.
public enum FileError {
    /// Returns the error for an item that does not exist.
    public static func noSuchFile(_ path: some CustomStringConvertible, writing: Bool = false) -> CocoaError {
        cocoaError(path, code: writing ? .fileNoSuchFile : .fileReadNoSuchFile, underlying: POSIXError(.ENOENT))
    }

    /// Returns the error for a destination that already exists.
    public static func exists(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(path, code: .fileWriteFileExists, underlying: POSIXError(.EEXIST))
    }

    /// Returns the error for an item that is not a directory although one was needed.
    public static func notADirectory(_ path: some CustomStringConvertible, writing: Bool = false) -> CocoaError {
        cocoaError(
            path, code: writing ? .fileWriteUnknown : .fileReadUnknown, reason: "not a directory",
            underlying: POSIXError(.ENOTDIR))
    }

    /// Returns the error for a directory where a file was needed.
    public static func isADirectory(_ path: some CustomStringConvertible, writing: Bool = false) -> CocoaError {
        cocoaError(
            path, code: writing ? .fileWriteUnknown : .fileReadUnknown, reason: "it is a directory",
            underlying: POSIXError(.EISDIR))
    }

    /// Returns the error for a pipe, socket or device at a file's destination.
    public static func specialFile(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(
            path, code: .fileWriteUnknown,
            reason: "it is a pipe, socket or device, which is neither replaced nor written to")
    }

    /// Returns the error for a pipe, socket or device that is to be read or copied as a file: its bytes cannot be
    /// counted before they have arrived.
    package static func notAFile(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(path, code: .fileReadUnknown, reason: "it is a pipe, socket or device, which is not read")
    }

    /// Returns the error for an item that is to be read as a symbolic link and is none.
    package static func notALink(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(
            path, code: .fileReadUnknown, reason: "it is not a symbolic link", underlying: POSIXError(.EINVAL))
    }

    /// Returns the error for the provider's root where it cannot be moved or removed.
    package static func isRoot(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(path, code: .fileWriteNoPermission, reason: "it is the provider's root")
    }

    /// Returns the error for a directory that was to be empty and is not.
    public static func notEmpty(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(
            path, code: .fileWriteFileExists, reason: "the directory is not empty", underlying: POSIXError(.ENOTEMPTY))
    }

    /// Returns the error for a source and destination that are the same item.
    public static func sameItem(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(
            path, code: .fileWriteUnknown, reason: "source and destination are the same",
            underlying: POSIXError(.EINVAL))
    }

    /// Returns the error for copying or moving a directory into itself.
    public static func intoItself(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(
            path, code: .fileWriteUnknown, reason: "a directory cannot go into itself", underlying: POSIXError(.EINVAL))
    }

    /// Returns the error for a file that is no longer the expected version.
    public static func changed(_ path: some CustomStringConvertible) -> CocoaError {
        var info = cocoaError(path, code: .fileReadUnknown, underlying: POSIXError(.ESTALE)).userInfo
        // The code's own phrase would say that the file was to be read; mostly it was to be replaced or removed.
        info[NSLocalizedDescriptionKey] = "\(path): it has changed meanwhile"
        info[NSLocalizedFailureReasonErrorKey] = "it has changed meanwhile"
        return CocoaError(.fileReadUnknown, userInfo: info)
    }

    /// Returns the error for a directory of which all members but those without a name were listed: the server cannot
    /// write their names.
    package static func namelessMember(_ path: some CustomStringConvertible) -> CocoaError {
        cocoaError(
            path, code: .fileReadUnknown, reason: "there is an item in it whose name the server cannot write",
            underlying: POSIXError(.EILSEQ))
    }

    /// Returns the error for what this provider or server cannot do; nothing was sent.
    public static func unsupported(_ path: some CustomStringConvertible, _ feature: String) -> CocoaError {
        cocoaError(path, code: .featureUnsupported, reason: feature)
    }

    /// Returns the error for a source that ended early or went on too long.
    public static func wrongLength(
        _ path: some CustomStringConvertible, expected: Int64, got: Int64
    ) -> CocoaError {
        cocoaError(path, code: .fileWriteUnknown, reason: "\(expected) bytes were announced, but \(got) came")
    }
}

extension Error {
    /// Whether the error says that there is no such item.
    public var isNoSuchFile: Bool {
        guard let code = (self as? CocoaError)?.code else { return false }
        return code == .fileNoSuchFile || code == .fileReadNoSuchFile
    }

    /// Whether the error says that something is there already.
    public var isFileExists: Bool { (self as? CocoaError)?.code == .fileWriteFileExists }

    /// Whether the error says that a directory is not empty.
    public var isNotEmpty: Bool { underlyingPOSIX == .ENOTEMPTY }

    /// Whether the error says that a directory was needed.
    public var isNotADirectory: Bool { underlyingPOSIX == .ENOTDIR }

    /// Whether the error says that a file was needed.
    public var isADirectory: Bool { underlyingPOSIX == .EISDIR }

    /// Whether the error says that the file is a different version by now.
    public var isItemChanged: Bool { underlyingPOSIX == .ESTALE }

    /// Whether everything in a directory was listed but what has no name (``FileError/namelessMember(_:)``).
    package var isNamelessMember: Bool { underlyingPOSIX == .EILSEQ }

    /// Whether somebody holds a lock on the item.
    package var isItemLocked: Bool { (self as? CocoaError)?.code == .fileLocking }

    /// Whether the error says that this is not supported.
    public var isUnsupported: Bool { (self as? CocoaError)?.code == .featureUnsupported }

    /// Whether the error says that the task was cancelled, in any of Foundation's ways.
    public var isCancellation: Bool {
        self is CancellationError || (self as? CocoaError)?.code == .userCancelled
            || (self as? URLError)?.code == .cancelled
    }

    /// The error that a callback form tells: for a cancelled task `CocoaError(.userCancelled)`, as Foundation's own do.
    package var callbackError: any Error {
        self is CancellationError ? CocoaError(.userCancelled, userInfo: [NSUnderlyingErrorKey: self]) : self
    }

    /// The system's error number behind the error.
    package var underlyingPOSIX: POSIXErrorCode? {
        ((self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code
    }
}
