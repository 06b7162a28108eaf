import CCurl
import FileProviding
import Foundation

/// One request and its reply on one connection.
final class Transfer: @unchecked Sendable {
    // Created by a task and then left to the loop's thread: each `var` is accessed only there. `continuation` is set
    // before the transfer is handed over.
    let request: WireRequest
    let upload: (any UploadSource)?
    let mode: ReplyMode
    /// Returns whether a reply is what the caller requested; any other is shortened and kept in memory.
    let isWanted: @Sendable (HTTPResponse) -> Bool
    /// Called with the number of bytes of the body that were sent.
    let progress: (@Sendable (Int64) -> Void)?
    var continuation: CheckedContinuation<Reply, any Error>?

    /// The transfers to the same host, this one among them.
    var host: HostQueues?
    var handle: EasyHandle?
    var watch: DeadlineWatch
    var failure: (any Error)?
    var isAdmitted = false
    var isCancelled = false
    /// How long to wait for the answer to a request that cannot be taken back, once its task was cancelled.
    var patience: ContinuousClock.Instant?
    private(set) var isOver = false
    var isReceivingPaused = false
    var isSendingPaused = false
    private(set) var requestsSent = 0
    private var repliesSeen = 0
    private var head = ReplyHead()
    private var sink: (any ReplySink)?
    private var taken: Int64 = 0
    private var isBodyTaken = false
    private var reportedSent: Int64 = 0
    private weak var loop: TransferLoop?

    init(
        _ request: WireRequest, upload: (any UploadSource)?, mode: ReplyMode,
        progress: (@Sendable (Int64) -> Void)? = nil, isWanted: @escaping @Sendable (HTTPResponse) -> Bool
    ) {
        self.request = request
        self.upload = upload
        self.mode = mode
        self.progress = progress
        self.isWanted = isWanted
        watch = DeadlineWatch(request.deadlines)
        isBodyTaken = !asksForBody
    }

    /// The number of bytes of heads received; libcurl counts only bodies.
    var headBytes: Int64 { Int64(head.bytes) }

    /// Whether there is a body that libcurl requests piece by piece.
    private var asksForBody: Bool { upload.map { $0.inlineBytes == nil } ?? false }

    /// Whether the body is so short that it needs no large buffer.
    var hasShortBody: Bool { (upload.map { $0.length ?? .max } ?? 0) <= 1 << 20 }

    /// Whether the reply's head is complete. libcurl accepts part of one.
    var hasHead: Bool { head.isComplete }

    /// How far the transfer came.
    var stage: TransferFailure.Stage {
        head.status > 0 ? .interrupted : requestsSent > 0 ? .unanswered : .notSent
    }

    /// Whether the server may already be making the requested change: only its complete answer tells.
    var isBeyondRecall: Bool { requestsSent > 0 && isBodyTaken && continuation != nil && !request.method.isReading }

    /// How long the server may take for its answer, in seconds; `nil` until it has the whole request, and once it
    /// answers.
    var answerTime: TimeInterval? {
        guard requestsSent > 0, isBodyTaken, head.status < 200 else { return nil }
        // Servers move and examine what they received.
        let handling = request.deadlines.idle + Double(taken) / 10_000_000
        return switch request.method {
        // One item is looked up, not a whole directory.
        case .propfind where request.headers["Depth"] == "0": request.deadlines.idle
        case .propfind, .report, .search: request.deadlines.listing
        case .copy, .move, .delete: request.deadlines.work
        // A gateway may first hand the whole file on to where it is kept.
        case .put, .patch: max(request.deadlines.work, handling)
        default: handling
        }
    }

    func begin(in loop: TransferLoop, with handle: EasyHandle) {
        self.loop = loop
        self.handle = handle
    }

    // MARK: What libcurl reports

    /// Prepares for a request about to be sent. Returns `false` to give up: a kept connection turned out to be closed,
    /// and sending the request again could do its work twice.
    func willSend() -> Bool {
        guard request.isSafeToRepeat || requestsSent == repliesSeen else { return false }
        requestsSent += 1
        loop?.countRequest()
        return true
    }

    /// Copies the next bytes of the body; returns `nil` while there are none.
    func takeBody(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        guard let upload else { return 0 }
        guard let count = try upload.read(into: buffer) else {
            isSendingPaused = true
            return nil
        }
        taken += Int64(count)
        isBodyTaken = count == 0 || taken == upload.length
        return count
    }

    /// Rewinds the body so that it can be sent again. Returns whether that is possible.
    func rewindBody() -> Bool {
        taken = 0
        isBodyTaken = !asksForBody
        return upload?.rewind() ?? true
    }

    func receiveHead(_ line: UnsafeRawBufferPointer) throws {
        let step = head.consume(line)
        guard head.bytes <= request.limits.headerBytes else {
            throw urlError(request.url, code: .dataLengthExceedsMaximum, reason: "the reply's head is too large")
        }
        guard case .complete = step else { return }
        repliesSeen += 1
        // libcurl may answer a challenge by itself: then the next head is the one that counts.
        if request.digest == nil || head.status != 401 { try openSink() }
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if sink == nil { try openSink() }
        guard try sink!.receive(bytes) else {
            isReceivingPaused = true
            return false
        }
        return true
    }

    /// Whether all bytes that were wanted have arrived, and more.
    var isSatisfied: Bool { sink?.isSatisfied ?? false }

    /// Forwards what has been gathered since the last time.
    func flush() {
        sink?.flush()
        // libcurl also counts the framing of chunks.
        if let handle, progress != nil { reportSent(min(handle.bytesSent, upload?.length ?? taken)) }
    }

    private func reportSent(_ count: Int64) {
        guard let progress, count > reportedSent else { return }
        reportedSent = count
        progress(count)
    }

    // MARK: The reply

    private var response: HTTPResponse {
        HTTPResponse(status: head.status, headers: head.headers, url: request.url, method: request.method)
    }

    private func openSink() throws {
        let response = response
        let sink = try makeSink(for: response)
        self.sink = sink
        guard case .stream = sink.body else { return }
        continuation.take()?.resume(
            returning: Reply(response: response, body: sink.body, sawContinue: head.sawContinue))
    }

    private func makeSink(for response: HTTPResponse) throws -> any ReplySink {
        let limits = request.limits
        let isPacked = request.acceptsCompression && response.headers["Content-Encoding"] != nil
        let expected = request.method == .head || isPacked ? nil : response.contentLength
        func refused() -> MemorySink {
            MemorySink(limit: Int64(refusedBodyLimit), expected: expected, truncates: true, url: request.url)
        }
        guard isWanted(response) else { return refused() }
        switch mode {
        case .whole:
            let limit = limits.bodyBytes ?? HTTPLimits.wholeReply
            if let expected, expected > limit { throw replyTooLarge(request.url, limit: limit) }
            return MemorySink(limit: limit, expected: expected, truncates: false, url: request.url)
        case .stream:
            return BodyPipe(
                url: request.url, limit: limits.bodyBytes,
                resume: { [loop] in loop?.post(.receive(self)) }, cancel: { [loop] in loop?.post(.cancel(self)) })
        case .file(let target):
            guard case .write(let skipping, let length) = try target.accept(response) else { return refused() }
            return FileSink(target, skipping: skipping, length: length, limit: limits.bodyBytes, url: request.url)
        }
    }

    /// Ends the transfer and resumes the waiting task. Called once.
    func finish(_ error: TransferFailure?) {
        isOver = true
        var failure: (any Error)? = isCancelled ? CancellationError() : error
        if failure == nil, sink == nil {
            do { try openSink() } catch { failure = TransferFailure(error: error, stage: stage) }
        }
        if failure == nil { reportSent(upload?.length ?? taken) }
        sink?.finish(isCancelled ? failure : error?.error ?? failure)
        upload?.close()
        let body = sink.take()?.body
        guard let continuation = continuation.take() else { return }
        if failure == nil, let body {
            continuation.resume(returning: Reply(response: response, body: body, sawContinue: head.sawContinue))
        } else {
            continuation.resume(throwing: failure ?? CancellationError())
        }
    }
}
