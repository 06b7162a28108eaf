import FileProviding
import Foundation

/// An unfinished command: kept in the vault until the server has carried it out, through restarts and crashes.
public struct SyncRecord: Identifiable, Hashable, Sendable {
    /// The kinds of records.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case createFolder, upload, download, move, copy, update, delete
    }

    /// The state of a record.
    public enum Phase: String, Sendable, Codable {
        /// The record continues as soon as possible.
        case ready
        /// The connection is carrying it out.
        case running
    }

    /// A record, and what has to be known about it to put it in order.
    typealias Standing = (record: SyncRecord, touch: Lanes.Touch)

    /// The command's identifier.
    public let id: EventID
    /// The order of commands.
    let number: Int64
    /// The item that the command is about.
    public internal(set) var itemID: LocalID
    /// What is to be done.
    var action: SyncAction
    /// The state of the record.
    public internal(set) var phase: Phase
    /// The conditions for it to continue.
    public internal(set) var waits: [WaitCondition]
    /// The number of attempts since the beginning: each attempt has a different number.
    public internal(set) var attempts: Int
    /// The number of attempts when the user last let it continue.
    var forgivenAttempts: Int
    /// How often in a row the server has answered that it is not possible, or not now; failures to reach the server do
    /// not count.
    var refusals: Int
    /// Whether an attempt may have succeeded without its outcome being known.
    var isDoubtful: Bool
    /// Why the last attempt failed.
    public internal(set) var failure: EventFailure?
    /// The number of bytes that the receiver is certain to have.
    public internal(set) var completed: Int64
    /// The total number of bytes, if known.
    public internal(set) var total: Int64?
    /// When the command was given.
    public let queuedAt: FileTime

    /// How often it was tried since the user last let it continue.
    var tries: Int { attempts - forgivenAttempts }

    /// The kind of the record.
    public var kind: Kind { action.kind }

    /// The directories and names that the record may change.
    var places: [Place] { action.places }

    /// Whether an interrupted attempt is continued, using files that are kept for it: not worth it for a small upload.
    var isContinuable: Bool {
        switch kind {
        case .download: true
        case .upload: total.map { $0 >= Self.continuableSize } ?? true
        case .createFolder, .move, .copy, .update, .delete: false
        }
    }

    /// Whether a server that is still working on an attempt must not be sent it again. Some servers move by copying and
    /// removing, and two moves at once leave empty files (sabre/dav); the second of two removals is answered while the
    /// first is still removing items with those names, which may be new by then.
    var isRiskyToRepeat: Bool { (kind == .move || kind == .delete) && isDoubtful }

    private static let continuableSize: Int64 = 8 << 20

    /// Whether nothing of it can have reached the server yet.
    var isUntouched: Bool { phase == .ready && !isDoubtful }
}
