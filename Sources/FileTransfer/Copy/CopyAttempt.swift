import FileProviding
import Foundation

/// One attempt at a file: chooses the fastest way by identity and conformance, and verifies what arrived.
struct CopyAttempt: Sendable {
    /// The result of an attempt.
    struct Result {
        var assurance: Assurance
        var bytes: Int64
        var resumedAt: Int64 = 0
        var sourceIsGone = false
        /// What the destination reported about the file when it was written.
        var written: FileObject?
    }

    let job: FileJob
    let tools: TransferTools
    let progress: OperationProgress
    /// The number of bytes that were there before the first attempt; `nil` before it.
    let present: Locked<Int64?>
    /// Whether an earlier attempt may have succeeded without our knowing it.
    let isRepeat: Bool
    /// The version of the target that may be replaced; `nil` for any.
    let expected: FileVersion?

    private var options: TransferOptions { tools.options }

    /// The size from which files are continued after an interruption; smaller ones are sent again.
    static let resumableSize: Int64 = 8 << 20
    /// The size from which a file that has broken off once is continued if it breaks off again.
    private static let resumableSizeOfRepeats: Int64 = 1 << 20

    func run() async throws -> Result {
        if let result = try await withinStorage() {
            // What an earlier run began in parts is not needed.
            if let part = tools.journal.part(for: job.target.path), part.state != nil {
                await Leftover(part: part, provider: job.target.provider, names: []).remove()
            }
            return result
        }
        guard job.item.isRegularFile || job.item.isSymLink || job.item.type == .unknown else {
            throw FileError.isADirectory(job.source.path)
        }
        guard let staged = try await stagedPath() else { return try await copy(to: job.target.path) }
        return try await copy(to: staged, replacing: job.target.path)
    }

    /// Renames or copies the item within its storage; returns `nil` if source and target are on different storages or
    /// the storage cannot do it.
    private func withinStorage() async throws -> Result? {
        guard let path = job.source.path(at: job.target) else { return nil }
        if options.removesSources, try await isRenamed(path) {
            return Result(assurance: .unverified("moved by the storage itself"), bytes: 0, sourceIsGone: true)
        }
        // A moved item is copied by the storage, which keeps all its attributes, and verified by reading both files.
        guard options.removesSources || !isSlowed && !wantsHash && !job.isMadeSureOfFirst(options) else { return nil }
        do { return try await copied(from: path) } catch  where error.isUnsupported && !job.item.isDirectory {
            return nil
        }
    }

    /// Renames the item if the storage can do so without copying; returns whether it did.
    private func isRenamed(_ path: ItemPath) async throws -> Bool {
        guard !tools.needsCopies.withLock({ $0 }) else { return false }
        var context = context(for: job.target.path)
        context.options.renamesOnly = true
        do {
            try await job.target.provider.perform(.move(source: path, destination: job.target.path), in: context)
            return true
        } catch  where error.isUnsupported {
            tools.needsCopies.withLock { $0 = true }
            return false
        }
    }

    /// Asks the storage to copy the item.
    private func copied(from path: ItemPath) async throws -> Result {
        let target = job.target.provider
        let staged = try await stagedPath()
        let place = staged ?? job.target.path
        var context = context(for: place, replaces: staged == nil ? nil : place == interrupted)
        context.options.keepsOwner = options.removesSources
        if job.item.isDirectory { context.options.mostBytes = TreeWalk.mostBytesAtOnce }
        // Its bytes do not pass through this process, so they wait all at once.
        if isSlowed { try await tools.bandwidth?.pass(Double(job.size)) }
        let written = try await target.perform(.copy(source: path, destination: place), in: context)
        guard !job.item.isDirectory else {
            return Result(
                assurance: .unverified("copied by the storage itself"),
                bytes: written?[.copiedBytes] ?? progress.current.completed)
        }
        try await confirmSource(of: written)
        let assurance = try await verifier(place).assure(written, hasher: nil)
        var result = Result(assurance: assurance, bytes: written?.size ?? job.size, written: written)
        if let staged {
            // What was moved keeps its own permissions and owner, as if it had been renamed.
            let moved = try await putIntoPlace(staged, keepsOwner: options.removesSources)
            result.written?.etag = nil
            result.written = moved ?? result.written
        }
        return result
    }

    /// Replaces the old file with the verified new one.
    @discardableResult
    private func putIntoPlace(_ staged: ItemPath, keepsOwner: Bool = false) async throws -> FileObject? {
        var moving = OperationOptions(overwrite: true, expecting: expected, flush: options.flush)
        moving.keepsOwner = keepsOwner
        return try await job.target.provider.perform(
            .move(source: staged, destination: job.target.path), in: OperationContext(options: moving))
    }

    /// Throws if a copy has another length than the source when it was listed, unless the source has changed since
    /// then: in that case the copy stays, since what it replaced is gone.
    private func confirmSource(of written: FileObject?) async throws {
        guard let written, written.size != job.item.size else { return }
        let now = try await job.source.provider.attributesOfItem(path: job.source.path)
        guard job.item.version.matches(now) else { throw FileError.changed(job.source.path) }
    }

    /// Whether the bytes have to pass through this process so that their rate can be limited.
    private var isSlowed: Bool {
        tools.bandwidth != nil && job.target.provider is any FileProviderLocalAccess
    }

    /// Returns a name next to the target, where the new file is verified before it replaces the old one; `nil` if it
    /// need not be.
    private func stagedPath() async throws -> ItemPath? {
        guard job.isMadeSureOfFirst(options) else { return nil }
        if let interrupted { return interrupted }
        guard let folder = job.target.path.parent else { return nil }
        let hidden = TemporaryName.make()
        do {
            try await job.target.provider.checkName(ofNew: folder.appending(hidden), isDirectory: false)
            return folder.appending(hidden)
        } catch  where error.isInvalidFileName {
            let visible = folder.appending(TemporaryName.visible(hidden))
            // Nothing but the journal tells the next run whose it is.
            var part =
                tools.journal.part(for: job.target.path)
                ?? JournalPart(target: job.target.path, version: job.item.version)
            part.staged = visible
            try tools.journal.save(part)
            return visible
        }
    }

    /// Where an interrupted attempt put the new file.
    private var interrupted: ItemPath? { tools.journal.part(for: job.target.path)?.staged }

    /// Copies the file.
    ///
    /// - Parameter target: the file that the copy replaces once it has been verified; `path` is then a name of our own,
    ///   and may hold what an interrupted attempt was verifying.
    private func copy(to path: ItemPath, replacing target: ItemPath? = nil) async throws -> Result {
        let hasher = wantsHash ? StreamHasher(try await algorithm()) : nil
        let source = SourceStream(source: job.source, item: job.item, hasher: hasher, bandwidth: tools.bandwidth)
        var result = Result(assurance: .unverified(""), bytes: 0)
        let context = context(
            for: path, replaces: target == nil ? job.existing != nil : path == interrupted)
        var isProven = false
        do {
            if let outcome = try await inParts(path, source, context) {
                result.written = outcome.file
                result.resumedAt = outcome.resumedAt
            } else {
                result.written = try await whole(path, source, context)
            }
        } catch  where isRepeat && job.existing == nil && error.isFileExists {
            // Either the reply was lost but the file was written, or somebody else was faster.
            result.written = try await job.target.provider.attributesOfItem(path: path)
            guard result.written?.size == job.item.size, try await verifier(path).isSame() else { throw error }
            isProven = true
        }
        let size = job.item.size ?? result.written?.size ?? progress.current.completed
        result.bytes = size - result.resumedAt
        if isProven {
            result.assurance = .readback
        } else {
            result.assurance = try await verifier(path).assure(
                result.written, hasher: hasher?.isComplete(of: job.item.size) == true ? hasher : nil,
                length: source.end.withLock { $0 })
        }
        if target != nil {
            let moved = try await putIntoPlace(path)
            // The storage may give the file another tag when it is renamed.
            result.written?.etag = nil
            result.written = moved ?? result.written
        }
        return result
    }

    /// Copies the file in parts.
    ///
    /// - Returns: `nil` for a file that is too small to be worth it and was not begun in parts, or if the destination
    ///   does not support it.
    private func inParts(
        _ path: ItemPath, _ source: SourceStream, _ context: OperationContext
    ) async throws -> PartialCopy.Outcome? {
        let isBegun = isRepeat || tools.journal.part(for: job.target.path)?.state != nil
        guard job.size >= (isBegun ? Self.resumableSizeOfRepeats : Self.resumableSize) else { return nil }
        return try await PartialCopy(
            job: job, path: path, tools: tools, source: source, progress: progress, present: present
        ).run(context)
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
        operation.expecting = path == job.target.path ? expected : nil
        operation.attributes = ItemAttributes(
            modificationTime: job.item.modificationTime, permissions: permissions(of: path))
        return OperationContext(options: operation, progress: progress)
    }

    /// Returns the permissions of a new file: the source's as far as the umask allows, without set-user-ID,
    /// set-group-ID and sticky bits. A replaced file's permissions are kept.
    private func permissions(of path: ItemPath) -> UInt16? {
        if let existing = job.existing, existing.isRegularFile {
            // A local destination takes the replaced file's permissions and owner itself.
            // Until then, what is still to be verified is nobody else's business.
            if job.target.provider is any FileProviderLocalAccess { return path == job.target.path ? nil : 0o600 }
            return existing.permissions.map { $0 & 0o777 }
        }
        guard options.keepsPermissions, let permissions = job.item.permissions else { return nil }
        return permissions & 0o777 & ~FileCreationMask.current
    }

    private func verifier(_ path: ItemPath) -> Verifier { Verifier(job: job, path: path, options: options) }

    private var wantsHash: Bool { options.verification == .hash && !job.item.isDirectory }

    /// Returns a hash that the destination knows, preferably one that the source has reported too; otherwise one that
    /// the source has reported.
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
