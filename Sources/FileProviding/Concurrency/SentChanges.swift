/// Notes whether anything was sent that may have changed the storage.
///
/// An operation may take several requests. If one of the last finds the server unreachable, its error alone says that
/// nothing has happened, although the first may have done all there was to do.
package final class SentChanges: Sendable {
    /// What notes the changes sent by this task and by those that it starts.
    @TaskLocal package static var current: SentChanges?

    private let isNoted = Locked(false)

    /// Creates a note that says that nothing was sent.
    package init() {}

    /// Whether nothing was sent that may have changed the storage.
    package var isEmpty: Bool { isNoted.withLock { !$0 } }

    /// Notes that something was sent that may have changed the storage.
    package func note() { isNoted.withLock { $0 = true } }
}
