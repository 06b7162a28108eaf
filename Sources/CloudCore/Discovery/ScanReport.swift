/// What a scan did.
public struct ScanReport: Sendable {
    /// A directory that could not be listed; the next scan tries it again.
    public struct Failure: Sendable {
        /// The directory.
        public var directory: LocalID
        /// Why.
        public var error: any Error
    }

    /// How many directories were listed.
    public var listings = 0
    /// The directories of which the server said no: no permission, for example.
    public var failures: [Failure] = []
    /// Whether nothing is left to be listed but those.
    public var isComplete = false
}
