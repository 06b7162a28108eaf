import Crypto
import FileProviding
import Foundation
import HTTPFiles

/// A write for servers whose PUT is not atomic: to a temporary name beside the final one, made sure of, then MOVE.
struct StagedWrite {
    let provider: WebDAVFileProvider
    let path: ItemPath
    let source: ByteStream
    let lock: HeldLock?
    let family: ServerFamily

    /// Bodies of up to this many bytes are hashed here, to spare a request.
    private static let hashedLength: Int64 = 4 << 20
    /// A body larger than this is not sent before the target was looked at.
    private static let carelessLength: Int64 = 1 << 20

    func run(_ context: OperationContext) async throws -> FileObject {
        try family.checkDestination(path)
        let overwrite = context.options.overwrite
        if overwrite || source.length.map({ $0 > Self.carelessLength }) ?? true {
            try await provider.checkTarget(path, overwrite: overwrite)
        }
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        var (temporary, file) = try await stage(in: parent, context)
        try await provider.moveIntoPlace(temporary, path, lock, overwrite: overwrite)
        try await provider.confirmName(path)
        file.etag = nil
        return file
    }

    /// Has the body stored under a temporary name.
    ///
    /// A server may still be at work on a body whose connection was lost, and may begin with it only when the next one is
    /// there: each attempt has a name of its own.
    private func stage(in parent: ItemPath, _ context: OperationContext) async throws -> (ItemPath, FileObject) {
        var retries = provider.session.configuration.retry.maximumRetries
        while true {
            let temporary = parent.appending(TemporaryName.make())
            do {
                return (temporary, try await upload(to: temporary, context))
            } catch {
                await provider.discard(temporary)
                let code = (error as? URLError)?.code
                guard [.networkConnectionLost, .timedOut].contains(code), source.isReplayable, retries > 0,
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
            let (response, size) = try await provider.upload(source, with: put, for: .modify(path), in: context)
            let file = provider.written(path, size, response, attributes)
            if !family.provesSuccess { try await confirm(temporary, file) }
            return file
        }
    }

    /// Some servers answer success to a body that they could not store: compare the MD5 that many give as ETag, else the size.
    private func confirm(_ temporary: ItemPath, _ file: FileObject) async throws {
        if let etag = file.etag?.opaque.filter({ $0 != "\"" }), etag.count == 32, let size = file.size,
            size <= Self.hashedLength,
            source.isReplayable, try await md5() == etag.lowercased()
        {
            return
        }
        let stored = try await provider.attributesOfItem(path: temporary)
        guard stored.size == file.size else {
            throw cocoaError(
                path, code: .fileWriteOutOfSpace,
                reason: "the server stored \(stored.size ?? 0) of \(file.size ?? 0) bytes; its disk may be full")
        }
    }

    private func md5() async throws -> String {
        var hash = Insecure.MD5()
        for try await chunk in source { hash.update(data: chunk) }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension WebDAVFileProvider {
    /// Puts a complete temporary file under its final name.
    ///
    /// Many servers remove the old file before they rename: when that went wrong half-way, the new file is put in place of
    /// the old one that is gone, and if that fails too it stays under its temporary name, which the error tells.
    func moveIntoPlace(_ temporary: ItemPath, _ path: ItemPath, _ lock: HeldLock?, overwrite: Bool) async throws {
        var request = try request(
            for: .move(source: temporary, destination: path), overwrite: overwrite, attributes: ItemAttributes())
        if let lock { request.headers["If"] = "<\(url(of: path).absoluteString)> (<\(lock.token)>)" }
        do {
            try await send(request, for: .modify(path))
        } catch {
            let rescue = Task { try await self.settleMove(temporary, path, overwrite: overwrite, error) }
            try await rescue.value
        }
    }

    /// After a MOVE that reported failure, or whose reply was lost: finds out what is where.
    private func settleMove(
        _ temporary: ItemPath, _ path: ItemPath, overwrite: Bool, _ failure: any Error
    ) async throws {
        let staged: FileObject?
        do { staged = try await itemIfPresent(temporary) } catch { throw stranded(temporary, path, failure) }
        // The reply was lost, the move was not.
        guard staged != nil else {
            guard try await itemIfPresent(path) != nil else { throw failure }
            return
        }
        let present: FileObject?
        do { present = try await itemIfPresent(path) } catch { throw stranded(temporary, path, failure) }
        if overwrite, present == nil {
            let again = try request(
                for: .move(source: temporary, destination: path), overwrite: false, attributes: ItemAttributes())
            do { try await send(again, for: .modify(path)) } catch { throw stranded(temporary, path, failure) }
            return
        }
        await discard(temporary)
        // Of writers that race, some servers tell the late one only that something went wrong.
        throw overwrite || present == nil ? failure : FileError.exists(path)
    }

    private func stranded(_ temporary: ItemPath, _ path: ItemPath, _ failure: any Error) -> any Error {
        cocoaError(
            path, code: .fileWriteUnknown, reason: "the new file may be left as \(temporary) on the server",
            underlying: failure)
    }
}
