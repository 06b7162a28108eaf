/// The result of a scan.
public struct ScanReport: Sendable {
    /// A directory that could not be listed; the next scan tries again.
    public struct Failure: Sendable {
        /// The directory.
        public var directory: LocalID
        /// The reason.
        public var error: any Error
        /// Whether it has not been listed for so long that others do not wait for it any more.
        var isLasting = false
    }

    /// The number of directories listed.
    public var listings = 0
    /// Those that have been listed, as long as they are few.
    var looked: Set<LocalID> = []
    /// The directories that the server refused to list: no permission, for example.
    public var failures: [Failure] = []
    /// Whether no other directories remain to be listed.
    public var isComplete = false

    /// Whether what is missing is nowhere: no directory remains that may have it and can be listed later.
    var hasLookedEverywhere: Bool {
        isComplete
            && failures.allSatisfy { failure in
                failure.isLasting || [.refused, .missing].contains(EventFailure(failure.error).meaning)
            }
    }
}
