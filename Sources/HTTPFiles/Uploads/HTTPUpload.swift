import FileProviding
import Foundation

/// A file being sent to an upload session.
///
/// The server's word decides how much it holds: it is asked before continuing, and after each request that failed.
package final class HTTPUpload<Provider: HTTPUploadSessions>: ResumableUpload {
    /// The state kept between runs.
    struct Saved: Codable {
        let path: ItemPath
        let length: Int64?
        /// May be a secret; `nil` for an empty file, which is only written when it is committed.
        let session: String?
        /// The file's last byte, once it arrived, if sending it would complete the file.
        var last = Data()
    }

    private struct Held {
        var saved: Saved
        /// The number of bytes that the server holds.
        var offset: Int64
    }

    private let provider: Provider
    private let held: Locked<Held>

    /// Begins a session.
    init(_ path: ItemPath, length: Int64?, _ provider: Provider, in context: OperationContext) async throws {
        var session: String?
        if length != 0 {
            var request = try provider.uploadRequest(.begin(length: length), path: path, options: context.options)
            request.expect(context.options.expecting)
            let beginning = request
            session = try await provider.withParents(of: path, in: context) {
                do {
                    let (response, data) = try await provider.sendStep(beginning, for: path)
                    return try response.interpreted { try provider.uploadSession(response: response, data: data) }
                } catch  where error.isFileExists { throw await provider.refusal(of: beginning, at: path, error) }
            }
        }
        self.provider = provider
        held = Locked(Held(saved: Saved(path: path, length: length, session: session), offset: 0))
    }

    /// Continues a session; `nil` when the server has forgotten it.
    init?(resuming saved: Saved, _ provider: Provider) async throws {
        guard let session = saved.session, let offset = try await provider.offset(of: session, saved.path) else {
            return nil
        }
        var saved = saved
        if let length = saved.length, offset != length - 1 { saved.last = Data() }
        self.provider = provider
        held = Locked(Held(saved: saved, offset: offset))
    }

    package var acknowledged: Int64 { held.withLock { $0.offset + Int64($0.saved.last.count) } }

    package func saveState() throws -> State { try JSONEncoder().encode(held.withLock { $0.saved }) }

    private var saved: Saved { held.withLock { $0.saved } }

    package func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        context.progress.setTotal(saved.length)
        context.progress.raise(to: acknowledged)
        try await bytes.forEachPart(of: provider.uploadPartLength) { part in
            let (start, count) = (acknowledged, part.length ?? 0)
            let isLast = start + count == saved.length
            if let length = saved.length, start + count > length {
                throw FileError.wrongLength(saved.path, expected: length, got: start + count)
            }
            guard isLast, provider.uploadEndsWithLastByte else {
                _ = try await send(part, in: context)
                return
            }
            let (rest, last) = try await part.splittingLastByte()
            if rest.length != 0 { _ = try await send(rest, in: context) }
            held.withLock { $0.saved.last = last }
        }
    }

    package func commit(in context: OperationContext) async throws -> FileObject {
        let (saved, size) = (saved, acknowledged)
        let path = saved.path
        if let length = saved.length, size != length {
            throw FileError.wrongLength(path, expected: length, got: size)
        }
        guard let session = saved.session else {
            return try await provider.write(path: path, from: ByteStream(Data()), in: context)
        }
        let former = try await provider.checkTarget(path, context.options)
        do {
            guard !provider.uploadEndsWithLastByte else {
                let (response, data) = try await send(ByteStream(saved.last), in: context)
                return try response.interpreted {
                    try provider.writtenItem(path: path, size: size, response: response, data: data)
                }
            }
            var request = try provider.uploadRequest(
                .commit(session: session), path: path, options: context.options)
            request.expect(context.options.expecting)
            request.isSafeToRepeat = false
            let committing = request
            return try await provider.withParents(of: path, in: context) {
                let (response, data) = try await provider.sendStep(committing, for: path)
                return try response.interpreted {
                    try provider.writtenItem(path: path, size: size, response: response, data: data)
                }
            }
        } catch let error where error is URLError || error.httpStatus.map(HTTPStatus.isReplyMissing) == true {
            // Even if the reply was lost, on the way or behind a gateway, the file may exist.
            guard let file = try? await provider.currentAttributes(path), file.size == size, let tag = file.etag,
                tag != former?.etag
            else { throw error }
            return file
        } catch  where error.isFileExists && context.options.expecting != nil {
            throw FileError.changed(path)
        }
    }

    package func abort() async throws {
        guard let session = saved.session else { return }
        let (provider, path) = (provider, saved.path)
        let request = try provider.uploadRequest(.abort(session: session), path: path, options: OperationOptions())
        await tidyingUp { _ = try? await provider.sendStep(request, for: path) }
    }

    /// Sends the next bytes.
    ///
    /// - Throws: after a failure, with ``acknowledged`` set to what the server holds, as far as the server could be
    ///   asked.
    private func send(_ part: ByteStream, in context: OperationContext) async throws -> (HTTPResponse, Data) {
        let held = held.withLock { $0 }
        guard let session = held.saved.session else {
            throw FileError.wrongLength(held.saved.path, expected: 0, got: part.length ?? 1)
        }
        let (path, range) = (held.saved.path, held.offset..<held.offset + (part.length ?? 0))
        do {
            var request = try provider.uploadRequest(
                .part(session: session, range: range, length: held.saved.length), path: path,
                options: context.options)
            request.body = .stream(part)
            request.isSafeToRepeat = false
            let reply = try await provider.sendStep(request, for: path) { sent in
                context.progress.raise(to: range.lowerBound + sent)
            }
            let told = provider.uploadOffset(afterPart: reply.0) ?? range.upperBound
            guard told == range.upperBound else {
                throw urlError(
                    provider.baseURL, code: .networkConnectionLost,
                    reason: "the server holds \(told) bytes instead of \(range.upperBound)")
            }
            self.held.withLock { $0.offset = told }
            return reply
        } catch {
            let provider = provider
            let known = try? await shielded(limit: .seconds(20)) { try await provider.offset(of: session, path) }
            if let known {
                self.held.withLock { held in
                    held.offset = known
                    if known != held.saved.length.map({ $0 - 1 }) { held.saved.last = Data() }
                }
            }
            if let known, known != range.lowerBound, error.httpStatus == 409 {
                // Bytes of an earlier request have arrived after all: it goes on behind them.
                throw urlError(
                    provider.baseURL, code: .networkConnectionLost,
                    reason: "the server holds \(known) bytes instead of \(range.lowerBound)")
            }
            throw error
        }
    }
}

extension HTTPUploadSessions {
    /// Returns how many bytes the server holds, or `nil` when it has forgotten the session.
    package func offset(of session: String, _ path: ItemPath) async throws -> Int64? {
        let request = try uploadRequest(.status(session: session), path: path, options: OperationOptions())
        let (response, data) = try await exchange(request)
        if [403, 404, 410].contains(response.status) { return nil }
        guard response.isSuccess else {
            throw await fileError(for: response, data: data, operation: .modify(path))
        }
        let offset = try response.interpreted { try uploadOffset(response: response, data: data) }
        guard (0...Int64.max / 2).contains(offset) else {
            throw urlError(baseURL, code: .badServerResponse, reason: "the server claims to hold \(offset) bytes")
        }
        return offset
    }

    /// Returns why a session may not begin where 412 can mean anything (OpenCloud): another version is there, the
    /// folder is missing, or the name is refused.
    fileprivate func refusal(of request: HTTPRequest, at path: ItemPath, _ error: any Error) async -> any Error {
        if request.headers["If-Match"] != nil { return FileError.changed(path) }
        guard (try? await itemExists(path: path)) == false else { return error }
        guard let parent = path.parent, (try? await itemExists(path: parent)) == false else {
            return cocoaError(path, code: .fileWriteInvalidFileName, reason: "the server refuses it")
        }
        return FileError.noSuchFile(path)
    }

    /// Sends a step's request, or throws the error that an unsuccessful reply stands for.
    fileprivate func sendStep(
        _ request: HTTPRequest, for path: ItemPath, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> (HTTPResponse, Data) {
        let (response, data) = try await exchange(request, progress)
        guard response.isSuccess else {
            throw await fileError(for: response, data: data, operation: .modify(path))
        }
        try response.interpreted { try confirmSuccess(of: .modify(path), response: response, data: data) }
        return (response, data)
    }

    /// Sends a request; no error shows an address that is a secret.
    private func exchange(
        _ request: HTTPRequest, _ progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> (HTTPResponse, Data) {
        var request = request
        request.mayComeFromCache = false
        guard request.hidesURL, let shown = baseURL else {
            return try await session.data(for: request, progress: progress)
        }
        do {
            var (response, data) = try await session.data(for: request, progress: progress)
            response.url = shown
            response.headers["Location"] = nil
            return (response, data)
        } catch let error as URLError {
            throw urlError(shown, code: error.code, reason: "at the address of an upload")
        }
    }
}
