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

/// A claim on an item's copy.
public struct ItemClaim: Identifiable, Hashable, Sendable {
    /// The identifier, by which the claim is given up.
    public let id: UUID
    /// The item whose copy is claimed.
    public let itemID: LocalID
    /// The reason, which says how long the claim holds.
    public let claim: Claim
    /// What the claim prevents.
    public let lock: Claim.Lock
}

/// The processes of this machine.
enum ProcessTable {
    /// Returns when a process began, in clock ticks since the machine booted (`proc(5)`, field 22 of `stat`); `nil` for
    /// one that does not exist.
    static func startTime(of process: Int32) -> UInt64? {
        let file = try? LocalFileHandle(reading: LocalPath("/proc/\(process)/stat"))
        guard let bytes = try? file?.read(at: 0, count: 4_096) else { return nil }
        // The program's name, in parentheses, may contain anything.
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[(name + 1)...], as: UTF8.self).split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }
}
