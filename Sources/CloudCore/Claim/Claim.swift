import FileProviding
import Foundation

/// Somebody's wish that a file's copy stays: valid as long as its reason holds, and forgotten then.
public indirect enum Claim: Hashable, Sendable, Codable {
    /// As long as this process lives, told from a later one of the same number by when it began.
    case process(id: Int32, startTime: UInt64)
    /// Until this moment.
    case expiring(FileTime)
    /// Until it is given up.
    case explicit
    /// As long as the core lives that made it.
    case coreLifetime(UUID)
    /// As long as all of these hold; with none, for ever.
    case all([Claim])
    /// As long as one of these holds; with none, never.
    case any([Claim])
    /// As long as this does not hold.
    case not(Claim)

    /// What a claim keeps from happening, each including those before it.
    public enum Lock: Int, Hashable, Sendable, Codable, Comparable {
        /// The copy is not removed.
        case delete
        /// The copy is not removed, and is brought up to date when the server has a newer version.
        case read
        /// The copy stays exactly as it is.
        case write

        /// Less before more.
        public static func < (a: Lock, b: Lock) -> Bool { a.rawValue < b.rawValue }
    }

    /// What validity depends on.
    struct Circumstances: Sendable {
        /// The time.
        var now: FileTime
        /// The cores that live.
        var cores: Set<UUID>
        /// When a process began, `nil` for one that does not live.
        var startTime: @Sendable (_ process: Int32) -> UInt64? = ProcessTable.startTime(of:)
    }

    /// Whether the reason holds.
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

    /// As long as this process lives.
    public static var thisProcess: Claim {
        .process(id: getpid(), startTime: ProcessTable.startTime(of: getpid()) ?? 0)
    }
}

/// A claim on an item's copy.
public struct ItemClaim: Identifiable, Hashable, Sendable {
    /// What it is given up by.
    public let id: UUID
    /// Whose copy.
    public let itemID: LocalID
    /// How long.
    public let claim: Claim
    /// What it keeps from happening.
    public let lock: Claim.Lock
}

/// The processes of this machine.
enum ProcessTable {
    /// When a process began, in clock ticks since the machine did (`proc(5)`, field 22 of `stat`); `nil` for one that does not
    /// live.
    static func startTime(of process: Int32) -> UInt64? {
        let file = try? LocalFileHandle(reading: LocalPath("/proc/\(process)/stat"))
        guard let bytes = try? file?.read(at: 0, count: 4_096) else { return nil }
        // The program's name, in parentheses, may hold anything.
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[(name + 1)...], as: UTF8.self).split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }
}
