import CloudCore
import FileProviding

/// Files that were just written and whose version was not in the reply: the current version is looked up by one request
/// for each or, if many are written into one directory, by one listing for all of them.
///
/// For that, the outcome of a small file waits while others are being sent to its directory; the last one, or the one
/// that fills a batch, looks up all that wait.
final class WrittenFiles: Sendable {
    /// A file that was written, and the recipient of its outcome.
    struct File: Sendable {
        var path: ItemPath
        /// What the storage reported when the file was written.
        var written: FileObject
        var target: EventTarget
    }

    private struct Directory {
        var sending = 0
        var waiting: [File] = []
        var bytes: Int64 = 0
        var since = ContinuousClock.now

        /// Records the end of an upload; returns whether it was the last one for now, and others wait.
        mutating func end(with file: File?) -> Bool {
            sending -= 1
            if let file {
                if waiting.isEmpty { since = .now }
                waiting.append(file)
                bytes += file.written.size ?? 0
            }
            return sending == 0 && waiting.count > 1 && !isFull
        }

        var isFull: Bool {
            waiting.count >= WrittenFiles.batch || bytes >= WrittenFiles.batchBytes
                || ContinuousClock.now - since >= WrittenFiles.patience
        }
    }

    /// The most files, and the most of their bytes, that wait: after a crash, those that have not been reported are
    /// compared.
    private static let batch = 1024
    private static let batchBytes: Int64 = 8 << 20
    /// How long the first of them waits for the others, as long as some of these end.
    private static let patience = Duration.milliseconds(500)
    /// The size above which a file takes long to be sent: nobody waits for it, and it waits for nobody.
    static let largest: Int64 = 1 << 20
    /// The number of outcomes sent at once: the recipient has other things to do in between, but should find the next
    /// ones when it has stored some.
    static let batchSize = 128
    /// The number of files that are worth a listing, which may be as many times longer.
    static let worthListing = 3
    static let longestListing = 16

    /// If others were sent at the same time, the last one gives more of them time to follow: as long as its own upload
    /// took, but no longer than this.
    private static let longestPause = Duration.milliseconds(100)

    private let directories = Locked<[ItemPath: Directory]>([:])

    /// Records that a small file is about to be sent to this directory. Returns the time.
    func begin(_ directory: ItemPath) -> ContinuousClock.Instant {
        directories.withLock { $0[directory, default: Directory()].sending += 1 }
        return .now
    }

    /// Records the end of an upload that began at `start`.
    ///
    /// - Parameter file: what was written, if anything was.
    /// - Returns: the files of this directory that the caller has to look up now.
    func end(_ directory: ItemPath, since start: ContinuousClock.Instant, with file: File?) async -> [File] {
        let mayPause = directories.withLock { $0[directory, default: Directory()].end(with: file) }
        if mayPause { try? await ContinuousClock().sleep(for: min(.now - start, Self.longestPause)) }
        return directories.withLock { directories in
            guard let entry = directories[directory], entry.sending == 0 || entry.isFull else { return [] }
            directories[directory] = entry.sending == 0 ? nil : Directory(sending: entry.sending)
            return entry.waiting
        }
    }
}

extension WrittenFiles.File {
    /// Returns the server's current version, and the version that has these bytes: if the file was replaced
    /// immediately, the current one is newer.
    ///
    /// If it has another length, somebody has written at the same time to a server that checks before it writes and not
    /// while it does: it is left to a person which of the two stays.
    func outcome(_ present: FileObject) -> Event.Outcome {
        if let size = written.size, let other = present.size, size != other {
            return .failed(EventFailure(FileError.changed(path)))
        }
        let isOurs: Bool
        if let etag = written.etag, let other = present.etag {
            isOurs = etag.opaque == other.opaque
        } else {
            isOurs = present.size == written.size
        }
        return .done(Event.Result(item: ServerVersion(present), contents: isOurs ? present.version : written.version))
    }

    /// Returns the outcome if nobody can look the file up: the server has reported that it has the file, and may not
    /// allow reading it. If the file is not there, it has been removed, or never arrived. Otherwise the next attempt
    /// looks, because the outcome is in doubt.
    func outcome(unseen failure: EventFailure) -> Event.Outcome {
        var failure = failure
        switch failure.meaning {
        case .refused: return .done(Event.Result(contents: written.version))
        case .missing: break
        default: failure.meaning = .interrupted
        }
        return .failed(failure)
    }
}
