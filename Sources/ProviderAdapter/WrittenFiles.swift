import CloudCore
import FileProviding

/// Files that were just written, and of which the reply told no version: what is there now is looked up by one request for
/// each, or, where many are written into one directory, by one listing for all of them.
///
/// For that the outcome of a small file waits while others are being sent to its directory; whoever is the last, or has
/// filled a batch, looks for all that wait.
final class WrittenFiles: Sendable {
    /// A file that was written, and who is to be told.
    struct File: Sendable {
        var path: ItemPath
        /// What the storage said when it was written.
        var written: FileObject
        var target: EventTarget
    }

    private struct Directory {
        var sending = 0
        var waiting: [File] = []
        var bytes: Int64 = 0
        var since = ContinuousClock.now

        /// A sending has ended; whether that was the last one for now, and others wait.
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

    /// How many files, and how many of their bytes, wait at most: what is told of none of them is compared after a crash.
    private static let batch = 1024
    private static let batchBytes: Int64 = 8 << 20
    /// How long the first of them waits for the others, as long as one of these ends.
    private static let patience = Duration.milliseconds(500)
    /// A larger file takes long to be sent: nobody waits for it, and it for nobody.
    static let largest: Int64 = 1 << 20
    /// How many outcomes are sent at once: whoever takes them over has other things to do in between.
    static let toldTogether = 64
    /// So many files are worth a listing, which may be so many times longer.
    static let worthListing = 3
    static let longestListing = 16

    /// Where others were sent beside it, the last one leaves more of them the time to follow: as long as its own sending took,
    /// but no longer than this.
    private static let longestPause = Duration.milliseconds(100)

    private let directories = Locked<[ItemPath: Directory]>([:])

    /// A small file is about to be sent to this directory. Returns when that was.
    func begin(_ directory: ItemPath) -> ContinuousClock.Instant {
        directories.withLock { $0[directory, default: Directory()].sending += 1 }
        return .now
    }

    /// The sending that began at `start` has ended.
    ///
    /// - Parameter file: what was written, where something was.
    /// - Returns: files of this directory that the caller has to look at now.
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

extension ProviderAdapter {
    /// Looks at files of one directory that were written, and sends their outcomes; also for a task that was cancelled: what
    /// has been done is told, and most of them are others'.
    func look(at files: [WrittenFiles.File], in directory: ItemPath) async {
        guard !files.isEmpty else { return }
        await Task { await lookAndTell(files, in: directory) }.value
    }

    private func lookAndTell(_ files: [WrittenFiles.File], in directory: ItemPath) async {
        let listed = files.count < WrittenFiles.worthListing ? [:] : await entries(of: directory, like: files)
        var rest = files.compactMap { file in listed[file.path].map { (file, $0) } }[...]
        while !rest.isEmpty {
            await withDiscardingTaskGroup { group in
                for (file, present) in rest.prefix(WrittenFiles.toldTogether) {
                    group.addTask { await file.target.send(file.outcome(present)) }
                }
            }
            rest = rest.dropFirst(WrittenFiles.toldTogether)
        }
        for file in files where listed[file.path] == nil { await lookAlone(at: file) }
    }

    private func lookAlone(at file: WrittenFiles.File) async {
        do {
            let present = try await withRoot { try await provider.attributesOfItem(path: file.path) }
            await file.target.send(file.outcome(present))
        } catch {
            await file.target.send(file.outcome(unseen: EventFailure(error)))
        }
    }

    /// What a listing tells of these files; not of all of them when it fails, or turns out to be very long.
    private func entries(of directory: ItemPath, like files: [WrittenFiles.File]) async -> [ItemPath: FileObject] {
        let wanted = Set(files.map(\.path))
        var found: [ItemPath: FileObject] = [:]
        var left = files.count * WrittenFiles.longestListing
        do {
            for try await page in provider.listing(path: directory) {
                for entry in page where wanted.contains(entry.path) { found[entry.path] = entry }
                left -= page.count
                if left <= 0 || found.count == wanted.count { break }
            }
        } catch {}  // Each is asked for then, and says what is wrong.
        return found
    }
}

extension WrittenFiles.File {
    /// What the server has now, and which version of it has these bytes: a file that was replaced right away is known as
    /// newer.
    fileprivate func outcome(_ present: FileObject) -> Event.Outcome {
        let isOurs: Bool
        if let etag = written.etag, let other = present.etag {
            isOurs = etag.opaque == other.opaque
        } else {
            isOurs = present.size == written.size
        }
        return .done(Event.Result(item: ServerVersion(present), contents: isOurs ? present.version : written.version))
    }

    /// What it comes to where nobody can look: the server has said that it has the file, and may not let it be seen. What is not
    /// there has gone, or never came. Otherwise the next attempt looks: it is in doubt.
    fileprivate func outcome(unseen failure: EventFailure) -> Event.Outcome {
        var failure = failure
        switch failure.meaning {
        case .refused: return .done(Event.Result(contents: written.version))
        case .missing: break
        default: failure.meaning = .interrupted
        }
        return .failed(failure)
    }
}
