import Foundation

/// What a plan or a job refuses although another option would allow it: the underlying error of the `CocoaError` that
/// says so, for a program that names its own way to set that option.
public enum TransferRefusal: Error, Sendable, Hashable {
    /// A source is a directory, and ``TransferOptions/recursive`` is not set.
    case directory
    /// Another file has the target's name, and ``TransferOptions/conflict`` is to refuse that.
    case otherFile
    /// More would be removed than ``MirrorRule/maximumDeletions`` allows.
    case deletions
}

extension Error {
    /// What was refused although another option would allow it; `nil` for any other error.
    public var transferRefusal: TransferRefusal? {
        (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? TransferRefusal
    }
}
