import FileProviding
import Foundation

/// A reason to keep a file's copy: valid as long as it holds, and forgotten after that.
public indirect enum Claim: Hashable, Sendable, Codable {
    /// Holds as long as this process lives; the start time distinguishes it from a later process with the same number.
    case process(id: Int32, startTime: UInt64)
    /// Holds until this time.
    case expiring(FileTime)
    /// Holds until it is given up.
    case explicit
    /// Holds as long as the core that made it exists.
    case coreLifetime(UUID)
    /// Holds as long as all of these hold; with none, forever.
    case all([Claim])
    /// Holds as long as one of these holds; with none, never.
    case any([Claim])
    /// Holds as long as this does not hold.
    case not(Claim)

    /// What a claim prevents; each case includes those before it.
    public enum Lock: Int, Hashable, Sendable, Codable, Comparable {
        /// The copy is not removed.
        case delete
        /// The copy is not removed, and is updated when the server has a newer version.
        case read
        /// The copy stays exactly as it is.
        case write

        /// Orders locks from weaker to stronger.
        public static func < (a: Lock, b: Lock) -> Bool { a.rawValue < b.rawValue }
    }

    /// The circumstances that validity depends on.
    struct Circumstances: Sendable {
        /// The current time.
        var now: FileTime
        /// The cores that exist.
        var cores: Set<UUID>
        /// Returns when a process began, `nil` for one that does not exist.
        var startTime: @Sendable (_ process: Int32) -> UInt64? = ProcessTable.startTime(of:)
    }

    /// Returns whether the claim holds.
    func isValid(_ circumstances: Circumstances) -> Bool {
        switch self {
        case .process(let id, let startTime): circumstances.startTime(id) == startTime
        case .expiring(let time): circumstances.now < time
        case .explicit: true
        case .coreLifetime(let core): circumstances.cores.contains(core)
        case .all(let claims): claims.allSatisfy { $0.isValid(circumstances) }
        case .any(let claims): claims.contains { $0.isValid(circumstances) }
        case .not(let claim): !claim.isValid(circumstances)
        }
    }

    /// Whether the claim does not hold now and can never hold again.
    func isOver(_ circumstances: Circumstances) -> Bool { !isValid(circumstances) && !mayHoldAgain(circumstances) }

    /// Returns whether a claim that does not hold now can hold later.
    private func mayHoldAgain(_ circumstances: Circumstances) -> Bool {
        switch self {
        case .process, .expiring, .explicit, .coreLifetime: false
        case .not: true
        case .all(let claims): claims.allSatisfy { !$0.isOver(circumstances) }
        case .any(let claims): claims.contains { $0.mayHoldAgain(circumstances) }
        }
    }

    /// A claim that holds as long as this process lives.
    public static var thisProcess: Claim {
        .process(id: getpid(), startTime: ProcessTable.startTime(of: getpid()) ?? 0)
    }
}
