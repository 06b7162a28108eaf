import FileProviding
import Foundation

/// The three ways to make a request, by where the reply's body goes.
extension HTTPSession {
    /// Sends a request and returns the whole reply, bounded by the request's limits or ``HTTPLimits/wholeReply``.
    ///
    /// When the session tries to resolve a reply itself (401, redirection, temporary refusal) and cannot, that reply's
    /// body is cut off at 64 KiB; the same holds for the other forms.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - progress: called with the number of bytes of the body that were sent, rising, on the transport's thread.
    public func data(
        for request: HTTPRequest, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> (HTTPResponse, Data) {
        guard keeps(request) else { return try await fetch(request, progress) }
        let (key, entry) = known(request)
        if let entry, configuration.cachePolicy == .unvalidated { return (entry.response, entry.body) }
        let (response, body) = try await fetch(request.asking(whether: entry), progress)
        if let entry, response.status == 304 { return (entry.response, entry.body) }
        cache.store(response, body, key, for: request)
        return (response, body)
    }

    /// Sends a request and returns as soon as the reply's head has arrived, and a body of the request that is a stream
    /// has been pulled to its end.
    ///
    /// The body is pulled once, with at most 2 MiB waiting in memory; nothing is read from the peer while nobody pulls.
    /// Dropping the stream ends the transfer. A reply that breaks off makes the stream throw; the request is not
    /// repeated.
    public func stream(for request: HTTPRequest) async throws -> (HTTPResponse, ByteStream) {
        guard keeps(request) else { return try await open(request) }
        let (key, entry) = known(request)
        if let entry, configuration.cachePolicy == .unvalidated { return (entry.response, ByteStream(entry.body)) }
        let (response, stream) = try await open(request.asking(whether: entry))
        if let entry, response.status == 304 { return (entry.response, ByteStream(entry.body)) }
        return (response, cache.storing(stream, of: response, key, for: request))
    }

    private func open(_ request: HTTPRequest) async throws -> (HTTPResponse, ByteStream) {
        defer { forget(after: request) }
        var exchange = Exchange(request, mode: .stream, in: self)
        let reply = try await exchange.run()
        guard case .stream(let pipe) = reply.body else { return (reply.response, ByteStream(reply.bytes)) }
        let isPacked = request.acceptsCompression && reply.response.headers["Content-Encoding"] != nil
        let isExact = !isPacked && reply.response.method != .head
        return (reply.response, pipe.stream(length: isExact ? reply.response.contentLength : nil))
    }

    /// Writes a reply's body to a file as it arrives, from `offset`, on the transport's thread.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - file: receives the body; no byte outside the part that arrived is touched.
    ///   - offset: where in the file the body's first byte goes.
    ///   - progress: called with the number of bytes written, rising, on the transport's thread; also before an error
    ///     is thrown, so that a later request can continue from there.
    ///   - accept: decides from the reply's head, before a byte is written. It runs on the transport's thread, so it
    ///     must not do any other work. It is not called for a reply that the session tried to resolve and could not
    ///     (401, redirection, temporary refusal); that reply is refused.
    public func download(
        _ request: HTTPRequest, into file: LocalFileHandle, at offset: Int64,
        progress: @escaping @Sendable (Int64) -> Void = { _ in },
        accept: @escaping @Sendable (HTTPResponse) throws -> HTTPDownloadDecision
    ) async throws -> HTTPDownloadResult {
        let target = FileTarget(file: file, offset: offset, progress: progress, accept: accept)
        var exchange = Exchange(request, mode: .file(target), in: self)
        let reply = try await exchange.run()
        guard case .written(let count) = reply.body else {
            return HTTPDownloadResult(response: reply.response, written: 0, refusedBody: reply.bytes)
        }
        return HTTPDownloadResult(response: reply.response, written: count)
    }

    /// Returns whether a reply may be kept, and a kept one used.
    private func keeps(_ request: HTTPRequest) -> Bool {
        configuration.cachePolicy != .none && request.mayComeFromCache && !Self.asksServer && request.method == .get
            && request.headers["Range"] == nil && request.headers["Authorization"] == nil
    }

    /// Forgets all kept replies after a request that changes something: which of them it concerns is not known
    /// (RFC 9111, section 4.4, asks for less).
    private func forget(after request: HTTPRequest) {
        guard configuration.cachePolicy != .none, !request.method.isReading else { return }
        cache.removeAll()
    }

    private func known(_ request: HTTPRequest) -> (HTTPResponseCache.Key, HTTPResponseCache.Entry?) {
        let key = cache.key(
            request.url, credential: request.sendsCredential ? credential : nil,
            extraHeaders: request.sendsCredential ? configuration.extraHeaders : HTTPHeaders())
        return (key, cache.entry(key, for: request))
    }

    private func fetch(
        _ request: HTTPRequest, _ progress: (@Sendable (Int64) -> Void)?
    ) async throws -> (HTTPResponse, Data) {
        defer { forget(after: request) }
        var exchange = Exchange(request, mode: .whole, progress: progress.map(rising), in: self)
        let reply = try await exchange.run()
        return (reply.response, reply.bytes)
    }
}

extension HTTPRequest {
    /// Returns the request made conditional on a kept reply being out of date (RFC 9110, section 13.1).
    fileprivate func asking(whether entry: HTTPResponseCache.Entry?) -> HTTPRequest {
        guard let (eTag, modified) = entry?.validators else { return self }
        var question = self
        if let eTag {
            question.headers["If-None-Match"] = eTag
        } else {
            question.headers["If-Modified-Since"] = modified
        }
        return question
    }
}

extension Reply {
    /// The body of a reply in memory.
    fileprivate var bytes: Data {
        if case .whole(let data) = body { data } else { Data() }
    }
}

/// Returns a closure that reports only increases: a body that is sent again starts from zero.
private func rising(_ progress: @escaping @Sendable (Int64) -> Void) -> @Sendable (Int64) -> Void {
    let highest = Locked<Int64>(0)
    return { count in
        let isMore = highest.withLock { highest in
            defer { highest = max(highest, count) }
            return count > highest
        }
        if isMore { progress(count) }
    }
}
