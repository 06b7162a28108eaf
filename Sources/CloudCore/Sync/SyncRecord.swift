import FileProviding
import Foundation

/// A command that is not finished: kept in the vault until the server has it, through restarts and crashes.
public struct SyncRecord: Identifiable, Hashable, Sendable {
    /// What a record is about.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case createFolder, upload, download, move, copy, update, delete
    }

    /// How far a record is.
    public enum Phase: String, Sendable, Codable {
        /// It goes on as soon as it may.
        case ready
        /// The connection is at it.
        case running
    }

    /// A record, and what has to be known of it to put it in order.
    typealias Standing = (record: SyncRecord, touch: Lanes.Touch)

    /// The command's identifier.
    public let id: EventID
    /// The order of commands.
    let number: Int64
    /// The item that the command is about.
    public internal(set) var itemID: LocalID
    /// What is to be done.
    var action: SyncAction
    /// How far it is.
    public internal(set) var phase: Phase
    /// What has to be before it goes on.
    public internal(set) var waits: [WaitCondition]
    /// How often it was tried, from the beginning: attempts have different numbers.
    public internal(set) var attempts: Int
    /// How many attempts there had been when a person last let it go on.
    var forgivenAttempts: Int
    /// How often in a row the server has answered that it is not possible, or not now: how often it could not be asked says
    /// nothing of that.
    var refusals: Int
    /// Whether an attempt may have succeeded without anybody hearing of it.
    var isDoubtful: Bool
    /// Why the last attempt failed.
    public internal(set) var failure: EventFailure?
    /// How many bytes the other side has for certain.
    public internal(set) var completed: Int64
    /// How many bytes there are, where that is known.
    public internal(set) var total: Int64?
    /// When the command was given.
    public let queuedAt: FileTime

    /// How often it was tried since a person last let it go on.
    var tries: Int { attempts - forgivenAttempts }

    /// What the record is about.
    public var kind: Kind { action.kind }

    /// The directories and names that the record may change.
    var places: [Place] { action.places }

    /// Whether a broken attempt is continued, by files that are kept for it: not worth it for a small upload.
    var isContinuable: Bool {
        switch kind {
        case .download: true
        case .upload: total.map { $0 >= Self.continuableSize } ?? true
        case .createFolder, .move, .copy, .update, .delete: false
        }
    }

    /// Whether a server that is still at an attempt must not be asked once more. Some move by copying and removing, and two
    /// of them at once leave empty files (sabre/dav); the second of two removals is answered while the first still removes
    /// what has those names, which may be new by then.
    var isRiskyToRepeat: Bool { (kind == .move || kind == .delete) && isDoubtful }

    private static let continuableSize: Int64 = 8 << 20

    /// Whether nothing of it can have reached the server yet.
    var isUntouched: Bool { phase == .ready && !isDoubtful }
}
