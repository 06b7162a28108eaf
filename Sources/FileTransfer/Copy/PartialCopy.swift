import FileProviding
import Foundation

/// A copy that can be continued: the destination accepts the file in parts, and the journal records how far it got.
struct PartialCopy: Sendable {
    /// A file that arrived.
    struct Outcome {
        var file: FileObject
        /// The number of bytes that were there before the first attempt.
        var resumedAt: Int64
    }

    let job: FileJob
    /// The file's name: its final one, or a temporary one where it is verified first.
    let path: ItemPath
    let tools: TransferTools
    let source: SourceStream
    let progress: OperationProgress
    /// The number of bytes that were there before the first attempt; `nil` before it.
    let present: Locked<Int64?>

    /// The most bytes that may arrive before they are recorded in the journal.
    private static let saveInterval: Int64 = 1 << 20

    /// - Returns: `nil` when the destination accepts only whole files.
    func run(_ context: OperationContext) async throws -> Outcome? {
        guard let provider = job.target.provider as? any FileProviderPartialWrite else { return nil }
        let isLocal = provider is any FileProviderLocalAccess
        let takesFile = isLocal && source.isPlain
        let version = job.item.version
        let known = tools.journal.part(for: job.target.path)
        let mark = try await sourceMark()
        let saved = known.flatMap {
            $0.continues(version, boot: tools.journal.boot, mark: mark) && $0.staged ?? $0.target == path ? $0 : nil
        }
        // An earlier run wrote to another name, because the target existed then but does not now, or the other way
        // round.
        if let known, known.state != nil, saved == nil {
            await Leftover(part: known, provider: job.target.provider, names: []).remove()
        }
        let upload: any ResumableUpload
        do {
            upload = try await provider.beginPartialWrite(
                path: path, length: job.item.size, resuming: saved?.state, in: context)
        } catch  where error.isUnsupported {
            return nil
        }
        let resumedAt = upload.acknowledged
        let keeper = PartKeeper(
            upload: upload, journal: tools.journal, part: part(known, mark, isLocal: isLocal),
            received: received(saved, upload), savesRanges: takesFile && upload.localFile != nil)
        do {
            try await keeper.save(durably: true)
            let start = takesFile ? keeper.received.count : resumedAt
            // What an earlier attempt has sent is this run's work too, unless it had to be sent again.
            let earliest = present.withLock { present in
                present = min(present ?? start, start)
                return present ?? start
            }
            if takesFile, let file = upload.localFile {
                try await receive(into: file, keeper)
            } else {
                try await send(upload, keeper, context)
            }
            try await source.confirm()
            return Outcome(file: try await upload.commit(in: context), resumedAt: earliest)
        } catch {
            if error.isContinuable || error.isCancellation {
                try? await keeper.save(durably: true)
            } else {
                await tidyingUp { try? await upload.abort() }
                try keeper.forget()
            }
            throw error
        }
    }

    /// Returns what a local source is recognized by even if another file with its size and time has taken its place.
    private func sourceMark() async throws -> String? {
        guard let local = job.source.provider as? any FileProviderLocalAccess, job.item.isRegularFile else {
            return nil
        }
        return try await local.openLocalFile(path: job.source.path).changeMark()
    }

    private func part(_ known: JournalPart?, _ mark: String?, isLocal: Bool) -> JournalPart {
        var part = known ?? JournalPart(target: job.target.path, version: job.item.version)
        part.version = job.item.version
        part.sourceMark = mark
        part.staged = path == job.target.path ? nil : path
        part.boot = isLocal ? tools.journal.boot : nil
        part.isFlushed = tools.options.flush
        return part
    }

    /// Returns what an earlier run has received. The journal lags slightly behind; the size of a file that was written
    /// from its start does not, and survives a kill. A file that is started over has no size yet.
    private func received(_ saved: JournalPart?, _ upload: any ResumableUpload) -> ReceivedRanges {
        let acknowledged = upload.acknowledged
        var received = acknowledged > 0 ? saved?.received ?? ReceivedRanges() : ReceivedRanges()
        received.insert(0..<acknowledged)
        if let saved, saved.isSequential == true, saved.boot == tools.journal.boot, let file = upload.localFile,
            let size = try? file.size()
        {
            received.insert(0..<min(size, job.size))
        }
        return received
    }

    /// Copies into the open file at the destination, written by the source's own thread.
    private func receive(into file: LocalFileHandle, _ keeper: PartKeeper) async throws {
        let read = RangedRead(
            source: source, item: job.item, file: file, keeper: keeper, progress: progress,
            refusesStreams: tools.refusesStreams)
        do { try await keeper.saving(every: Self.saveInterval) { try await read.run() } } catch {
            throw error.ofOpenFile(at: path)
        }
        try await keeper.upload.acknowledge(upTo: job.size)
    }

    private func send(_ upload: any ResumableUpload, _ keeper: PartKeeper, _ context: OperationContext) async throws {
        let offset = upload.acknowledged
        let stream = try await source.localStream(from: offset) ?? source.stream(from: offset)
        let (outer, keeper) = (progress, keeper)
        let progress = OperationProgress(total: job.item.size) { state in
            outer.raise(to: state.completed)
            keeper.note(state.completed)
        }
        let sending = OperationContext(options: context.options, progress: progress)
        try await keeper.saving(every: Self.saveInterval) { try await upload.append(stream, in: sending) }
    }
}
