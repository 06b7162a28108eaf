import Foundation

/// Any provider as one that tells of changes, by looking again and again.
///
/// For storage that cannot tell by itself. What is told leads whoever follows it to the storage's state, deletions included:
/// that is the whole promise. Changes that come and go between two looks are not seen, a rename is told as one where items
/// have permanent identifiers, and a change that leaves everything a listing tells as it was is no change.
///
/// How it looks is chosen by what the storage can do, found out when watching begins:
/// - Directories' tags that change with everything below: one request while nothing changes, and then a descent along the
///   tags that did.
/// - A tree that lists at once: one listing of everything.
/// - Otherwise directory by directory, at most ``listingsPerLook`` of them a time, in turn.
///
/// It remembers every entry below the watched directory, about 130 bytes each. An unreachable server is tried again at the
/// next look; a refused credential ends the changes with its error.
public struct PollingMonitor: FileProviderMonitor {
    /// `"Polling"`.
    public static let type = "Polling"

    /// The provider that is looked at.
    public let base: any FileProviderBasic
    /// The pause between two looks.
    public let interval: Duration
    /// The most directories listed at one look, where directories are listed one by one; `nil` for all.
    public let listingsPerLook: Int?
    private let clock: any Clock<Duration>

    /// A monitor of anything in `base`. Nothing is asked before ``changes(path:recursive:)``.
    public init(
        _ base: any FileProviderBasic, interval: Duration, listingsPerLook: Int? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        self.interval = interval
        self.listingsPerLook = listingsPerLook
        self.clock = clock
    }

    /// What changes from now on. The tree is looked at once before this returns, and then, one ``interval`` after another,
    /// only while somebody pulls: nothing runs in the background.
    ///
    /// The changes end behind `.removed(path)` when the directory itself is gone.
    public func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges {
        let poll = try await Poll(of: base, path: path, isRecursive: recursive, listingsPerLook: listingsPerLook)
        let (clock, interval) = (clock, interval)
        return FileChanges {
            while true {
                if let change = await poll.nextChange() { return change }
                guard await !poll.hasEnded else { return nil }
                try await clock.sleep(for: interval)
                try await poll.look()
            }
        }
    }

    /// The same provider with delegates and registrations of its own.
    public func copy() -> PollingMonitor {
        PollingMonitor(base.copy(), interval: interval, listingsPerLook: listingsPerLook, clock: clock)
    }
}
