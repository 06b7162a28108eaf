import FileProviding
import Foundation
import HTTPFiles

/// A file sent in parts to a separate folder, which a MOVE assembles and puts in place: ownCloud's chunking, and
/// Nextcloud's second version of it, which requires the destination with every request and parts named by number.
///
/// The parts in the folder tell what the server holds.
final class ChunkedUpload: ResumableUpload {
    /// The state kept between runs.
    struct Saved: Codable {
        let path: ItemPath
        let folder: String
        let length: Int64?
    }

    private struct Held {
        var bytes: Int64
        var parts: Int
        /// The hash of everything that was sent, unless an earlier run sent some of it.
        var sum: ChecksumHasher?
    }

    /// Nextcloud accepts ten thousand parts of at least 5 MB, apart from the last; a part is the most that a kill can
    /// cost.
    private static let partLength: Int64 = 10 << 20
    private static let maximumParts: Int64 = 9_000
    /// The most times that another writer may come first if the last writer wins.
    private static let patience = 8
    /// How long, in seconds, the target may be locked before the upload fails, and how long the server may take to
    /// assemble the file after a reply was lost.
    private static let (lockTime, mergeTime): (TimeInterval, TimeInterval) = (30, 600)

    private let provider: WebDAVFileProvider
    private let cloud: CloudServer
    private let saved: Saved
    private let target: URL
    private let held: Locked<Held>

    /// Begins an upload.
    init(_ path: ItemPath, length: Int64?, _ provider: WebDAVFileProvider, _ cloud: CloudServer) async throws {
        self.provider = provider
        self.cloud = cloud
        target = try provider.destination(path, cloud)
        saved = Saved(path: path, folder: "fp-\(UUID().uuidString)", length: length)
        held = Locked(Held(bytes: 0, parts: 0, sum: ChecksumHasher(.sha1)))
        do { try await provider.send(request(.mkcol, ""), for: .modify(path)) } catch  where error.httpStatus == 405 {
            // It exists: the name is new, so that the reply to the first try was lost.
        }
    }

    /// Continues an upload; `nil` when the server has forgotten it.
    init?(resuming saved: Saved, _ provider: WebDAVFileProvider, _ cloud: CloudServer) async throws {
        let request = Self.listing(of: saved, provider, cloud)
        let (response, data) = try await provider.session.data(for: request)
        if [404, 410].contains(response.status) { return nil }
        guard response.status == 207 else {
            throw await provider.fileError(for: response, data: data, operation: .modify(saved.path))
        }
        let sizes = try Multistatus.decode(data, from: response).reduce(into: [Int: Int64]()) { sizes, part in
            if let number = part.lastComponent.flatMap(Int.init) { sizes[number] = part.properties.contentLength ?? -1 }
        }
        var state = Held(bytes: 0, parts: 0, sum: nil)
        while let size = sizes[state.parts + 1] {
            guard (0...(.max - state.bytes)).contains(size) else { return nil }
            state.bytes += size
            state.parts += 1
        }
        self.provider = provider
        self.cloud = cloud
        self.saved = saved
        target = try provider.destination(saved.path, cloud)
        held = Locked(state)
    }

    var acknowledged: Int64 { held.withLock { $0.bytes } }

    func saveState() throws -> State { try JSONEncoder().encode(saved) }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        context.progress.setTotal(saved.length)
        context.progress.raise(to: acknowledged)
        try await bytes.forEachPart(of: partLength(of: bytes)) { part in
            let before = held.withLock { $0 }
            var request = request(.put, Self.name(before.parts + 1))
            request.body = .stream(part)
            var sum = before.sum
            if sum != nil { for try await chunk in part { sum?.update(chunk) } }
            do {
                try await provider.send(request, for: .modify(saved.path)) { sent in
                    context.progress.raise(to: before.bytes + sent)
                }
            } catch  where error.isFileExists {
                // Nextcloud answers 412 when it has forgotten the upload.
                throw FileError.noSuchFile(saved.path, writing: true)
            }
            let held = Held(bytes: before.bytes + (part.length ?? 0), parts: before.parts + 1, sum: sum)
            self.held.withLock { $0 = held }
        }
    }

    /// Returns the length of parts that divide the bytes evenly: a short one in the middle of a file would be refused
    /// in the end.
    private func partLength(of bytes: ByteStream) -> Int64 {
        let least = max(Self.partLength, (saved.length ?? 0) / Self.maximumParts)
        guard let length = bytes.length else { return least }
        let count = max(1, length / least)
        return max(1, length / count + (length % count == 0 ? 0 : 1))
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        let held = held.withLock { $0 }
        if let length = saved.length, held.bytes != length {
            throw FileError.wrongLength(saved.path, expected: length, got: held.bytes)
        }
        let options = context.options
        if held.parts == 0 {
            let file = try await provider.write(path: saved.path, from: ByteStream(Data()), in: context)
            try await abort()
            return file
        }
        return try await provider.withParents(of: saved.path, in: context) {
            var tries = Self.patience
            while true {
                do {
                    return try await putTogether(held, options)
                } catch  where error.isFileExists && options.overwrite {
                    if options.expecting != nil { throw FileError.changed(saved.path) }
                    tries -= 1
                    guard tries > 0 else { throw error }
                }
            }
        }
    }

    /// Assembles the file. The MOVE applies only to the file that is there now: the server may process it late.
    private func putTogether(_ held: Held, _ options: OperationOptions) async throws -> FileObject {
        let former: FileObject?
        do { former = try await provider.checkTarget(saved.path, options) } catch
            where options.expecting != nil && error.isNoSuchFile
        { throw FileError.changed(saved.path) }
        var move = request(.move, ".file")
        move.headers["Overwrite"] = former == nil ? "F" : "T"
        move.headers["OC-Total-Length"] = String(held.bytes)
        move.headers["OC-Checksum"] = held.sum?.checksum.description
        // `If-Match` would apply to `.file`.
        move.require(options.expecting?.etag ?? former?.etag, at: target)
        move.headers["X-OC-Mtime"] = provider.timeText(options.attributes.modificationTime)
        move.isSafeToRepeat = false
        move.retriesWhenLocked = false
        let pacer = provider.session.pacer
        let start = pacer.elapsed()
        var (mayBeAtWork, pause): (Bool, TimeInterval) = (false, 0.5)
        var lastBusy: TimeInterval?
        while true {
            do {
                let response = try await provider.sendWhole(move, for: .modify(saved.path))
                return provider.written(saved.path, held.bytes, response, options.attributes)
            } catch {
                if let file = try await merged(former, held.bytes) { return file }
                // Assembling a large file may take longer than a connection or a gateway waits; meanwhile the file is
                // locked.
                mayBeAtWork = mayBeAtWork || error.isAnswerMissing
                let isBusy = error.isItemLocked || error.isAnswerMissing
                if isBusy { lastBusy = pacer.elapsed() }
                // The server removes the parts last: until then, the new file at the target looks like another
                // writer's.
                guard let lastBusy,
                    pacer.elapsed() + pause
                        < (isBusy ? start + (mayBeAtWork ? Self.mergeTime : Self.lockTime) : lastBusy + Self.lockTime)
                else { throw error }
                try await pacer.sleep(pause)
                pause = min(pause * 2, 15)
            }
        }
    }

    func abort() async throws {
        let (session, request) = (provider.session, request(.delete, ""))
        await tidyingUp { _ = try? await session.data(for: request) }
    }

    /// After a MOVE that failed or whose reply was lost: returns the file if the parts are gone and the target is the
    /// new file.
    private func merged(_ former: FileObject?, _ size: Int64) async throws -> FileObject? {
        let listing = Self.listing(of: saved, provider, cloud)
        guard let (response, _) = try? await provider.session.data(for: listing), response.status == 404,
            let present = try? await provider.itemIfPresent(saved.path), present.size == size,
            present.etag != former?.etag
        else { return nil }
        return present
    }

    /// Returns the URL of a part, or of the folder that holds the parts.
    private static func url(of saved: Saved, _ name: String, _ cloud: CloudServer) -> URL {
        cloud.url("remote.php", "dav", "uploads", cloud.user, saved.folder, name)
    }

    private static func listing(of saved: Saved, _ provider: WebDAVFileProvider, _ cloud: CloudServer) -> HTTPRequest {
        provider.listRequest(url(of: saved, "", cloud), DAVRequestBody.propfind([.contentLength]))
    }

    private func request(_ method: HTTPMethod, _ name: String) -> HTTPRequest {
        var request = HTTPRequest(method, Self.url(of: saved, name, cloud))
        request.headers["Destination"] = target.absoluteString
        request.retriesWhenLocked = true
        return request
    }

    /// Returns the name of a part. All have the same width, for servers that assemble parts in the order of their
    /// names.
    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
