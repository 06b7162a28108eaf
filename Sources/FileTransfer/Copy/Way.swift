import FileProviding
import Foundation

/// One attempt at a file: chooses the shortest way by identity and conformance, and makes sure of what arrived.
struct Way: Sendable {
    /// How an attempt ended.
    struct Result {
        var assurance: Assurance
        var bytes: Int64
        var resumedAt: Int64 = 0
        var sourceIsGone = false
        /// What the destination said of the file when it was written.
        var written: FileObject?
    }

    let job: FileJob
    let tools: TransferTools
    let progress: OperationProgress
    /// Whether an earlier attempt may have succeeded without our knowing.
    let isRepeat: Bool

    private var options: TransferOptions { tools.options }

    /// Files from this size on are continued after an interruption; smaller ones are sent again.
    static let resumableSize: Int64 = 8 << 20

    func run() async throws -> Result {
        if let result = try await withinStorage() { return result }
        guard job.item.isRegularFile || job.item.isSymLink || job.item.type == .unknown else {
            throw FileError.isADirectory(job.source.path)
        }
        if let staged = try stagedPath {
            do { return try await copy(to: staged, replacing: job.target.path) } catch  where error.isInvalidFileName {}
        }
        return try await copy(to: job.target.path)
    }

    /// Where the storage is the same, it copies or moves the item itself.
    private func withinStorage() async throws -> Result? {
        let target = job.target.provider
        guard !wantsHash, !isSlowed, options.removesSources || !isMadeSureOfFirst,
            let path = job.source.path(at: target)
        else { return nil }
        do {
            if options.removesSources {
                try await target.perform(
                    .move(source: path, destination: job.target.path), in: context(for: job.target.path))
                return Result(assurance: .unverified("moved by the storage itself"), bytes: 0, sourceIsGone: true)
            }
            let written = try await target.perform(
                .copy(source: path, destination: job.target.path), in: context(for: job.target.path))
            let bytes = job.item.isDirectory ? progress.current.completed : written?.size ?? job.size
            guard !job.item.isDirectory else {
                return Result(assurance: .unverified("copied by the storage itself"), bytes: bytes)
            }
            try await confirmSource(of: written)
            let assurance = try await verifier(job.target.path).assure(written, hasher: nil)
            return Result(assurance: assurance, bytes: bytes)
        } catch  where error.isUnsupported && !job.item.isDirectory {
            return nil
        }
    }

    /// A copy that is not as long as the source was listed is wrong, unless the source is not that any more: then it stays, since
    /// what it replaced is gone.
    private func confirmSource(of written: FileObject?) async throws {
        guard let written, written.size != job.item.size else { return }
        let now = try await job.source.provider.attributesOfItem(path: job.source.path)
        guard job.item.version.matches(now) else { throw FileError.changed(job.source.path) }
    }

    /// Whether the bytes go through this machine, and not faster than asked for.
    private var isSlowed: Bool {
        tools.bandwidth != nil && !options.removesSources && job.target.provider is any FileProviderLocalAccess
    }

    /// A name beside the target, where the new file is made sure of before it replaces the old one.
    private var stagedPath: ItemPath? {
        get throws {
            guard isMadeSureOfFirst else { return nil }
            return interrupted ?? job.target.path.parent?.appending(TemporaryName.make())
        }
    }

    /// Whether a file that replaces another is made sure of before it does.
    private var isMadeSureOfFirst: Bool {
        job.existing != nil && [.hash, .readback].contains(options.verification)
    }

    /// Where an interrupted attempt put the new file.
    private var interrupted: ItemPath? { tools.journal.part(for: job.target.path)?.staged }

    /// - Parameter target: what the copy replaces when it has been made sure of; its own path is ours then, and may hold
    ///   what was interrupted while it was made sure of.
    private func copy(to path: ItemPath, replacing target: ItemPath? = nil) async throws -> Result {
        let hasher = wantsHash ? StreamHasher(try await algorithm()) : nil
        let source = SourceStream(source: job.source, item: job.item, hasher: hasher, bandwidth: tools.bandwidth)
        var result = Result(assurance: .unverified(""), bytes: 0)
        let context = context(
            for: path, replaces: target == nil ? job.existing != nil : path == interrupted)
        do {
            if let outcome = try await inParts(path, source, context) {
                result.written = outcome.file
                result.resumedAt = outcome.resumedAt
            } else {
                result.written = try await whole(path, source, context)
            }
        } catch  where isRepeat && job.existing == nil && error.isFileExists {
            // The reply was lost, the file was not; or somebody else was faster.
            result.written = try await job.target.provider.attributesOfItem(path: path)
            guard result.written?.size == job.item.size, try await verifier(path).isSame() else { throw error }
        }
        let size = job.item.size ?? result.written?.size ?? progress.current.completed
        result.bytes = size - result.resumedAt
        result.assurance = try await verifier(path).assure(
            result.written, hasher: hasher?.isComplete == true ? hasher : nil)
        if let target {
            let moving = OperationContext(options: OperationOptions(overwrite: true, flush: options.flush))
            _ = try await job.target.provider.perform(.move(source: path, destination: target), in: moving)
        }
        return result
    }

    /// - Returns: `nil` for a file that is too small to be worth it, or where the destination cannot.
    private func inParts(
        _ path: ItemPath, _ source: SourceStream, _ context: OperationContext
    ) async throws -> PartialCopy.Outcome? {
        guard job.size >= Self.resumableSize else { return nil }
        return try await PartialCopy(job: job, path: path, tools: tools, source: source, progress: progress).run(
            context)
    }

    private func whole(_ path: ItemPath, _ source: SourceStream, _ context: OperationContext) async throws -> FileObject
    {
        let direct = DirectCopy(job: job, path: path, source: source, progress: progress)
        if let file = try await direct.run(context) { return file }
        let stream = try await source.localStream() ?? source.stream(isConfirmed: job.size >= Self.resumableSize)
        return try await job.target.provider.write(path: path, from: stream, in: context)
    }

    private func context(for path: ItemPath, replaces: Bool? = nil) -> OperationContext {
        var operation = OperationOptions(overwrite: replaces ?? (job.existing != nil), flush: options.flush)
        operation.attributes = ItemAttributes(
            modificationTime: job.item.modificationTime,
            // Whose program it is, the copy does not say: it must not run as whoever copied it.
            permissions: options.keepsPermissions ? job.item.permissions.map { $0 & 0o777 } : nil, contentType: nil)
        return OperationContext(options: operation, progress: progress)
    }

    private func verifier(_ path: ItemPath) -> Verifier { Verifier(job: job, path: path, options: options) }

    private var wantsHash: Bool { options.verification == .hash && !job.item.isDirectory }

    /// A hash that the destination knows, best one that the source has told too; else one that the source has told.
    private func algorithm() async throws -> Checksum.Algorithm {
        let characteristics = try await job.target.provider.characteristics(path: job.target.path)
        var theirs: [Checksum.Algorithm] = []
        if characteristics.computesChecksums {
            if let provider = job.target.provider as? any ChecksumProvider { theirs = provider.checksumAlgorithms }
            theirs += characteristics.freeChecksums
        }
        let mine = job.item.checksums.map(\.algorithm).filter { $0 != .adler32 }
        return theirs.first(where: mine.contains) ?? theirs.first ?? mine.first ?? .sha256
    }
}
