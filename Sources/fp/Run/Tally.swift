/// The successes and failures, for the exit status.
struct Tally {
    private var successes = 0
    private(set) var failures = 0
    private var accessFailures = 0
    private var hasBegun = false

    /// Counts a success.
    mutating func succeeded() { successes += 1 }

    /// Notes that something was done, whatever comes of it.
    mutating func began() { hasBegun = true }

    /// Counts a failure.
    mutating func failed(_ error: any Error) {
        failures += 1
        if ErrorText.isAboutAccess(error) { accessFailures += 1 }
    }

    /// The exit status.
    var exitStatus: Int32 {
        guard failures > 0 else { return ExitStatus.success }
        return successes == 0 && !hasBegun && failures == accessFailures ? ExitStatus.noAccess : ExitStatus.failure
    }
}
