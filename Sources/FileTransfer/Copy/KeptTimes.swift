import FileProviding

/// Determines whether a destination of which that is not known keeps the times that it is given.
///
/// A time is also the same if the source was changed in the second of the upload, so that only the bytes tell. But a
/// few such files with times of their own, whose bytes were the same, show that this storage keeps times: the rest need
/// not be read. One that has another time shows the opposite.
final class KeptTimes: Sendable {
    /// The number of different times that are proof.
    private static let proof = 5

    /// In seconds; `nil` once a time was not kept.
    private let times = Locked<Set<Int64>?>([])
    private struct Trials {
        /// What the destination has shown, by whether a file suggested that it keeps times.
        var answers: [Bool: Bool] = [:]
        var failures = 0
    }

    private let trials = Locked(Trials())
    /// After how many trials that could not be made no further one is.
    private static let mostFailures = 5

    /// Returns whether times are kept where `target` is; tried once, if only that can tell.
    ///
    /// - Parameter isLikely: whether there is a file with the source's time.
    func areKept(at target: TransferEndpoint, isLikely: Bool) async -> Bool {
        if let known = trials.withLock({ $0.answers[isLikely] }) { return known }
        guard let storage = target.provider as? any TimeKeeping, let directory = target.path.parent else { return true }
        let areKept = try? await storage.keepsTimes(in: directory, isLikely: isLikely)
        return trials.withLock { trials in
            // A directory that nothing can be put into tells nothing; another one may.
            if areKept == nil { trials.failures += 1 }
            if areKept != nil || trials.failures >= Self.mostFailures { trials.answers[isLikely] = areKept ?? true }
            return areKept ?? true
        }
    }

    /// Records that a file of the same time has the same bytes.
    func note(_ job: FileJob) {
        guard let time = Self.time(of: job) else { return }
        times.withLock { if $0?.count ?? 0 < Self.proof { $0?.insert(time) } }
    }

    /// Records that a copy has a time of its own.
    func refute() { times.withLock { $0 = nil } }

    /// Returns whether a file's size and time are enough to take it for the same.
    func tell(_ job: FileJob) -> Bool {
        job.item.isRegularFile && job.item.size != nil && job.item.size == job.existing?.size
            && Self.time(of: job) != nil && times.withLock { $0?.count ?? 0 } >= Self.proof
    }

    /// Returns the time that both ends have, to the second; `nil` if they differ.
    private static func time(of job: FileJob) -> Int64? {
        guard let time = job.item.modificationTime?.seconds, time == job.existing?.modificationTime?.seconds else {
            return nil
        }
        return time
    }
}
