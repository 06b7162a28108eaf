import Foundation

/// A wrapper that reports changes of any provider by listing it again and again.
///
/// It is for storage that cannot report changes itself. Applying the changes in order leads to the storage's current
/// state, deletions included; that is the whole promise. Changes that come and go between two polls are not seen, a
/// rename is reported as one only where items have permanent identifiers, and a change that leaves everything a listing
/// reports as it was is no change.
///
/// How it polls depends on what the storage can do, which is found out when watching begins:
/// - Where directories have tags that change with everything below them: one request while nothing changes, and
///   otherwise a descent along the tags that did change.
/// - Where a whole tree can be listed at once: one listing of everything.
/// - Otherwise: directory by directory, at most ``listingsPerLook`` of them per poll, in turn.
///
/// It remembers every entry below the watched directory, about 130 bytes each. An unreachable server is tried again at
/// the next poll; a refused credential ends the changes with its error.
public struct PollingMonitor: FileProviderMonitor {
    /// `"Polling"`.
    public static let type = "Polling"

    /// The watched provider.
    public let base: any FileProviderBasic
    /// The pause between two polls.
    public let interval: Duration
    /// The most directories listed per poll where directories are listed one by one; `nil` for all.
    public let listingsPerLook: Int?
    private let clock: any Clock<Duration>

    /// Creates a monitor of anything in `base`. Nothing is requested before ``changes(path:recursive:)``.
    public init(
        _ base: any FileProviderBasic, interval: Duration, listingsPerLook: Int? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        self.interval = interval
        self.listingsPerLook = listingsPerLook
        self.clock = clock
    }

    /// Returns the changes from now on. The tree is listed once before this returns, and then once every ``interval``,
    /// but only while somebody pulls: nothing runs in the background.
    ///
    /// When the directory itself is gone, the changes end after `.removed(path)`.
    public func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges {
        // A provider of its own: holding the caller's would keep its context, whose release ends the notifications.
        let base = base.copy()
        base.context.logger = self.base.context.logger
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

    /// Returns a monitor of the same provider with its own delegates and registrations.
    public func copy() -> PollingMonitor {
        PollingMonitor(base.copy(), interval: interval, listingsPerLook: listingsPerLook, clock: clock)
    }
}
