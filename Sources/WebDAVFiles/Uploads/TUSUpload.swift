import FileProviding
import Foundation
import HTTPFiles

/// A file sent by TUS 1.0.0, as OpenCloud takes it: POST to the parent, then PATCH by PATCH.
///
/// The last byte completes the file under its name, so it is kept back until the commit, here and in the saved state. The
/// address of an upload is all that is needed to write to it: it is kept in the state only, no credential is sent to it.
final class TUSUpload: ResumableUpload {
    /// What is kept between runs.
    struct Saved: Codable {
        let path: ItemPath
        let length: Int64
        /// A secret; `nil` for an empty file, which is only written when it is committed.
        let location: URL?
        /// The file's last byte, once it came.
        var last = Data()
    }

    private struct Held {
        var saved: Saved
        /// What the server holds.
        var offset: Int64
        /// The hash of all that came, while nothing came in an earlier run.
        var sum: SHA1Sum?
    }

    private let provider: WebDAVFileProvider
    private let partLength: Int64
    private let held: Locked<Held>

    /// Begins an upload.
    init(
        _ path: ItemPath, length: Int64, partLength: Int64, _ provider: WebDAVFileProvider,
        in context: OperationContext
    ) async throws {
        let location = length == 0 ? nil : try await provider.createTUSUpload(path, length: length, in: context)
        self.provider = provider
        self.partLength = partLength
        held = Locked(
            Held(saved: Saved(path: path, length: length, location: location), offset: 0, sum: SHA1Sum()))
    }

    /// Goes on with an upload; `nil` when the server has forgotten it.
    init?(resuming saved: Saved, partLength: Int64, _ provider: WebDAVFileProvider) async throws {
        guard let location = saved.location, let offset = try await provider.offset(ofTUSUpload: location) else {
            return nil
        }
        var saved = saved
        if offset != saved.length - 1 { saved.last = Data() }
        self.provider = provider
        self.partLength = partLength
        held = Locked(Held(saved: saved, offset: offset, sum: nil))
    }

    var acknowledged: Int64 { held.withLock { $0.offset + Int64($0.saved.last.count) } }

    var state: State { (try? JSONEncoder().encode(held.withLock { $0.saved })) ?? Data() }

    private var saved: Saved { held.withLock { $0.saved } }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        context.progress.setTotal(saved.length)
        context.progress.raise(to: acknowledged)
        try await bytes.forEachPart(of: partLength) { part in
            let before = held.withLock { $0 }
            let end = before.offset + (part.length ?? 0)
            guard before.saved.last.isEmpty, end <= before.saved.length else {
                throw FileError.wrongLength(
                    before.saved.path, expected: before.saved.length, got: before.offset + (part.length ?? 0) + 1)
            }
            if before.sum != nil { for try await chunk in part { held.withLock { $0.sum?.update(chunk) } } }
            guard end == before.saved.length else { return try await send(part, at: before.offset, in: context) }
            let (rest, last) = try await part.splittingLastByte()
            if rest.length != 0 { try await send(rest, at: before.offset, in: context) }
            held.withLock { $0.saved.last = last }
        }
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        let held = held.withLock { $0 }
        let (path, length) = (held.saved.path, held.saved.length)
        guard acknowledged == length else {
            throw FileError.wrongLength(path, expected: length, got: acknowledged)
        }
        guard held.saved.location != nil else {
            return try await provider.write(path: path, from: ByteStream(Data()), in: context)
        }
        let former = try await provider.checkTarget(path, context.options)
        do {
            try await send(ByteStream(held.saved.last), at: held.offset, in: context)
        } catch {
            // Where the reply was lost, the file may be there all the same.
            guard error is URLError, let present = try? await provider.itemIfPresent(path),
                present.etag != former?.etag
            else { throw error }
        }
        return try await confirmed(path, length, held.sum?.checksum)
    }

    /// The server compares no hashes: what it tells of the new file is compared here. While it still examines the file, it
    /// tells its size at least.
    private func confirmed(_ path: ItemPath, _ length: Int64, _ sum: Checksum?) async throws -> FileObject {
        let file = try await provider.attributesOfItem(path: path)
        let told = file.checksums.first { $0.algorithm == .sha1 }
        guard file.size == length, sum == nil || told == nil || told == sum else {
            throw cocoaError(path, code: .fileWriteUnknown, reason: "the server stored other bytes than were sent")
        }
        return file
    }

    func abort() async throws {
        guard let location = saved.location else { return }
        let (session, request) = (provider.session, provider.tusRequest(.delete, location))
        await Task { _ = try? await session.data(for: request) }.value
    }

    /// - Throws: after a failure, with ``acknowledged`` at what the server holds, as far as it can be asked.
    private func send(_ part: ByteStream, at offset: Int64, in context: OperationContext) async throws {
        guard let location = saved.location else { return }
        var request = provider.tusRequest(.patch, location)
        request.headers["Upload-Offset"] = String(offset)
        request.headers["Content-Type"] = "application/offset+octet-stream"
        request.body = .stream(part)
        request.isSafeToRepeat = false
        do {
            let (response, data) = try await provider.sendTUS(request) { sent in
                context.progress.raise(to: offset + sent)
            }
            guard response.isSuccess else { throw provider.tusError(response, data, saved.path) }
            held.withLock { $0.offset = offset + (part.length ?? 0) }
        } catch {
            let provider = provider
            let known = await Task { try? await provider.offset(ofTUSUpload: location) }.value ?? nil
            held.withLock {
                if let known { $0.offset = known }
                $0.sum = nil
            }
            throw error
        }
    }
}
