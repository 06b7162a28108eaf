import FileProviding
import Foundation

/// One request on the wire: the caller's, with everything that the session adds.
struct Attempt {
    private let session: HTTPSession
    private let wire: WireRequest
    private let upload: (any UploadSource)?

    /// - Throws: when the body is a short local file that cannot be read, or is no longer the expected version.
    init(
        _ request: HTTPRequest, _ authorization: Authenticator.Authorization, to origin: Origin?, trust: ServerTrust,
        deadlines: HTTPDeadlines, in session: HTTPSession
    ) throws {
        self.session = session
        upload = try Self.source(of: request.body)
        var headers = request.headers
        if headers["User-Agent"] == nil { headers.add("User-Agent", session.configuration.userAgent) }
        var digest: DigestLogin?
        if request.sendsCredential, session.authenticator.isFor(origin) {
            for field in session.configuration.extraHeaders where request.headers[field.name] == nil {
                headers.add(field.name, field.value)
            }
            switch authorization {
            case .field(let value) where headers["Authorization"] == nil: headers.add("Authorization", value)
            case .digest(let login): digest = login
            default: break
            }
        }
        wire = WireRequest(
            method: request.method, url: request.url, origin: origin, headers: headers, deadlines: deadlines,
            limits: request.limits ?? session.configuration.limits,
            acceptsCompression: request.acceptsCompression && request.headers["Range"] == nil,
            hidesURL: request.hidesURL, isSafeToRepeat: request.isSafeToRepeat,
            awaitsContinue: session.awaitsContinue(request), isBesideReply: HTTPSession.isBesideReply, digest: digest,
            trust: trust)
    }

    /// Whether no byte of the body was taken from a source that gives it only once.
    var isBodyUntouched: Bool { (upload as? PumpedSource).map { !$0.isStarted } ?? true }

    func perform(
        mode: ReplyMode, progress: (@Sendable (Int64) -> Void)?, isWanted: @escaping @Sendable (HTTPResponse) -> Bool
    ) async throws -> Reply {
        let transfer = Transfer(wire, upload: upload, mode: mode, progress: progress, isWanted: isWanted)
        let begin = ContinuousClock.now
        do {
            let reply = try await send(transfer)
            session.journal.note(wire, .success(reply), duration: ContinuousClock.now - begin)
            if wire.awaitsContinue { session.noteContinue(reply, from: wire.url) }
            return reply
        } catch {
            session.journal.note(wire, .failure(error), duration: ContinuousClock.now - begin)
            throw error
        }
    }

    private func send(_ transfer: Transfer) async throws -> Reply {
        let loop = session.loop
        guard let source = upload as? PumpedSource else { return try await loop.perform(transfer) }
        source.attach { loop.post(.send(transfer)) }
        return try await withThrowingTaskGroup(of: Reply?.self) { group in
            group.addTask {
                await source.pump()
                return nil
            }
            group.addTask { try await loop.perform(transfer) }
            var reply: Reply?
            while let result = try await group.next() {
                guard let result else { continue }
                reply = result
                // A body that is pulled may begin before the last byte was sent; any other is complete.
                if case .stream = result.body {} else { group.cancelAll() }
            }
            guard let reply else { throw CancellationError() }
            return reply
        }
    }

    private static func source(of body: HTTPBody) throws -> (any UploadSource)? {
        switch body {
        case .none: nil
        case .bytes(let data): data.isEmpty ? nil : BytesSource(data)
        case .stream(let stream):
            if let slice = stream.localFile {
                slice.range.count <= BytesSource.inlineLimit ? BytesSource(try slice.bytes()) : FileSource(slice)
            } else {
                PumpedSource(stream)
            }
        }
    }
}
