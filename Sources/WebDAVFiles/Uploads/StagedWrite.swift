import FileProviding
import Foundation
import HTTPFiles

/// A write for servers whose PUT is not atomic: to a temporary name next to the final one, then checked, then moved by
/// MOVE.
struct StagedWrite {
    let provider: WebDAVFileProvider
    let path: ItemPath
    let source: ByteStream
    let lock: HeldLock?
    let family: ServerFamily

    /// The longest available body that is hashed locally, to save a request.
    private static let hashedLength: Int64 = 4 << 20
    /// The longest body that is sent before the target was looked up.
    private static let unverifiedLimit: Int64 = 1 << 20

    /// The server accepted nothing under the temporary name, which it may be configured to deny.
    struct NameRefusal: Error {
        let cause: any Error
    }

    /// - Throws: ``NameRefusal`` among others.
    func run(_ context: OperationContext) async throws -> FileObject {
        try family.checkDestination(path)
        try MoveIntoPlace.check(path, on: provider)
        let options = context.options
        var former: FileObject?
        if options.overwrite || !family.honorsOverwrite || source.length.map({ $0 > Self.unverifiedLimit }) ?? true {
            former = try await provider.checkTarget(path, options)
        }
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        var (temporary, file) = try await stage(in: parent, context)
        do { try await NameTrial.run(for: path, on: provider) } catch {
            await provider.discard(temporary)
            throw error
        }
        if isLookedAtAgain(former, options) {
            do { former = try await provider.checkTarget(path, options) } catch {
                await provider.discard(temporary)
                throw options.expecting != nil && error.isNoSuchFile ? FileError.changed(path) : error
            }
        }
        let move = MoveIntoPlace(
            provider: provider, temporary: temporary, tag: file.etag, size: file.size, path: path, lock: lock,
            options: options)
        try await move.run(replacing: former)
        try await provider.confirmName(path)
        file.etag = nil
        return file
    }

    /// Whether somebody may have written the file while the body was sent, and the MOVE would not notice.
    private func isLookedAtAgain(_ former: FileObject?, _ options: OperationOptions) -> Bool {
        if options.expecting != nil {
            // The first MOVE may fail because of how it names its destination, and what has gone then is not known.
            return !family.honorsTagConditions || former?.etag == nil || provider.server.destinationForm == nil
        }
        let isLong = source.length.map { $0 > Self.unverifiedLimit } ?? true
        return isLong && !options.overwrite && !family.honorsOverwrite
    }

    /// Stores the body under a temporary name.
    ///
    /// A server may still be processing a body whose connection was lost, and may even begin with it only when the next
    /// one has arrived: so each attempt has a name of its own.
    private func stage(in parent: ItemPath, _ context: OperationContext) async throws -> (ItemPath, FileObject) {
        var retries = provider.session.configuration.retry.maximumRetries
        // What could not be removed, since the server was away.
        var strays: [ItemPath] = []
        while true {
            let temporary = parent.appending(TemporaryName.make())
            do {
                let file = try await upload(to: temporary, context)
                for stray in strays { await provider.discard(stray) }
                return (temporary, file)
            } catch {
                if await !provider.discard(temporary) { strays.append(temporary) }
                if await provider.mayRefuseHiddenNames(in: parent, error) { throw NameRefusal(cause: error) }
                // Not after a timeout, which has taken long: a server that was silent mostly is again.
                guard (error as? URLError)?.code == .networkConnectionLost, source.isReplayable, retries > 0,
                    !Task.isCancelled
                else { throw error }
                retries -= 1
            }
        }
    }

    private func upload(to temporary: ItemPath, _ context: OperationContext) async throws -> FileObject {
        let attributes = context.options.attributes
        var request = try provider.request(for: .modify(temporary), overwrite: true, attributes: attributes)
        request.isSafeToRepeat = false
        try await provider.addChecksum(of: source, to: &request)
        let put = request
        return try await provider.withParents(of: path, isRepeatable: source.isReplayable, in: context) {
            let (response, _, size) = try await provider.upload(source, with: put, for: .modify(path), in: context)
            var file = provider.written(path, size, response, attributes)
            file.etag = family.provesSuccess ? nil : try await confirm(temporary, file)
            return file
        }
    }

    /// Checks that the body was stored, since some servers report success otherwise: compares the MD5 that many give as
    /// ETag, otherwise the size.
    ///
    /// - Returns: the temporary file's tag.
    private func confirm(_ temporary: ItemPath, _ file: FileObject) async throws -> ETag? {
        if let etag = file.etag?.opaque.filter({ $0 != "\"" }), etag.count == 32, let size = file.size,
            size <= Self.hashedLength, source.isReplayable, source.isImmediate,
            try await Checksum.of(source, .md5).hex == etag.lowercased()
        {
            return file.etag
        }
        guard let stored = try await provider.itemIfPresent(temporary) else {
            // A missing temporary file must not be reported as a missing file.
            throw cocoaError(path, code: .fileWriteUnknown, reason: "the server reported success, but stored nothing")
        }
        // Some servers tell no size of an empty file, or of any.
        guard let size = stored.size else { return stored.etag }
        guard size == file.size else {
            throw cocoaError(
                path, code: .fileWriteOutOfSpace,
                reason: "the server stored \(size) of \(file.size ?? 0) bytes; its disk may be full")
        }
        return stored.etag
    }
}
