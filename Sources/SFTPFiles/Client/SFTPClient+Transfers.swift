import FileProviding
import Foundation

extension SFTPClient {
    /// Reads a range of an open file into an open local file, on the connection's thread; returns the number of bytes
    /// read.
    ///
    /// - Parameters:
    ///   - path: the file's own path, for additional connections that help with it.
    ///   - attributes: the server's attributes of the file.
    ///   - confirms: whether it must still have them at the end; if not, ``ChangedFile`` is thrown.
    func read(
        _ handle: [UInt8], of path: [UInt8], _ attributes: SFTPAttributes, confirms: Bool, _ range: Range<Int64>,
        into file: LocalFileHandle, at offset: Int64, progress: OperationProgress
    ) async throws -> Int64 {
        if pool.width(for: Int64(range.count), traits) > 1 {
            let count = try await readTogether(handle, range, of: path, attributes, into: file, at: offset) {
                progress.raise(to: $0)
            }
            if confirms, try await !call(.fstat(handle)).attributes().isSameFile(as: attributes) { throw ChangedFile() }
            return count
        }
        let transfer = OnThread<ReadTransfer>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                connection.mailbox.post { engine in
                    guard !transfer.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                    let sink = FileReadSink(file, at: offset, progress: progress) { continuation.resume(with: $0) }
                    let reading = ReadTransfer(
                        handle: handle, range: range, of: confirms ? attributes : nil, into: sink, traits: traits,
                        counter: counter)
                    transfer.value = reading
                    reading.fill(engine)
                }
            }
        } onCancel: {
            connection.mailbox.post { _ in
                transfer.isCancelled = true
                transfer.value?.cancel()
            }
        }
    }

    /// Returns a range of an open file as a stream that can be read once. The file is closed when the stream is
    /// released.
    ///
    /// - Parameters:
    ///   - original: the attributes that the file must still have at the end, if that is to be checked; otherwise
    ///     ``ChangedFile`` is thrown.
    ///   - describing: translates a server's refusal into an error; a file that ends too early is ``ShortFile``.
    func stream(
        _ handle: [UInt8], _ range: Range<Int64>, of original: SFTPAttributes? = nil,
        describing: @escaping @Sendable (any Error) -> any Error
    ) -> ByteStream {
        let reader = Locked<FileReader?>(FileReader(self, handle, range, of: original))
        return ByteStream(length: Int64(range.count), isReplayable: false) {
            guard let reader = reader.withLock({ $0.take() }) else {
                throw cocoaError("reply", code: .fileReadUnknown, reason: "its bytes can be read only once")
            }
            reader.begin()
            return {
                do { return try await reader.next() } catch { throw describing(error) }
            }
        }
    }

    /// Writes a stream's bytes into an open file from `offset` on.
    ///
    /// - Parameters:
    ///   - path: the file's own path, for additional connections that help with it.
    ///   - trailing: requests that follow the last byte, sent only if all announced bytes came; without waiting for the
    ///     answers to the writes if the server processes requests in order.
    ///   - onTrailing: called before they are sent.
    ///   - onAcknowledged: called, on the connection's thread, with the number of bytes that the server holds without a
    ///     gap.
    func write(
        _ source: ByteStream, to handle: [UInt8], of path: [UInt8]? = nil, at offset: Int64, trailing: [SFTPCall] = [],
        onTrailing: @escaping @Sendable () -> Void = {}, onAcknowledged: @escaping @Sendable (Int64) -> Void
    ) async throws -> WriteTransfer.Outcome {
        if let slice = source.localFile, let path, pool.width(for: Int64(slice.range.count), traits) > 1 {
            let count = try await writeTogether(slice, to: handle, of: path, at: offset, onAcknowledged: onAcknowledged)
            guard count == slice.range.count else { return WriteTransfer.Outcome(count: count, replies: []) }
            try slice.confirm()
            let replies = trailing.isEmpty ? [] : try await callAll(trailing, willSend: onTrailing)
            return WriteTransfer.Outcome(count: count, replies: replies)
        }
        let transfer = OnThread<WriteTransfer>()
        connection.mailbox.post { engine in
            let writing = WriteTransfer(handle: handle, at: offset, from: source, traits: traits, counter: counter)
            writing.trailing = trailing
            writing.onTrailing = onTrailing
            writing.onAcknowledged = onAcknowledged
            transfer.value = writing
            writing.fill(engine)
        }
        do {
            if source.localFile == nil { try await push(source, to: transfer) }
            return try await whileListening(to: transfer) { transfer, engine, continuation in
                transfer.end(engine) { continuation.resume(with: $0) }
            }
        } catch {
            // Nothing after the error is acknowledged.
            await withCheckedContinuation { continuation in
                connection.mailbox.post { _ in
                    transfer.value?.stop()
                    continuation.resume()
                }
            }
            throw error
        }
    }

    private func push(_ source: ByteStream, to transfer: OnThread<WriteTransfer>) async throws {
        var gathered = Data()
        var total: Int64 = 0
        for try await chunk in source {
            try Task.checkCancellation()
            total += Int64(chunk.count)
            if gathered.isEmpty { gathered = chunk } else { gathered.append(chunk) }
            if gathered.count >= traits.writeLength {
                try await push(gathered, to: transfer)
                gathered = Data()
            }
            // More bytes than announced are an error in any case.
            if let length = source.length, total > length { break }
        }
        if !gathered.isEmpty { try await push(gathered, to: transfer) }
    }

    private func push(_ bytes: Data, to transfer: OnThread<WriteTransfer>) async throws {
        try await whileListening(to: transfer) {
            (transfer, engine, continuation: CheckedContinuation<Void, any Error>) in
            transfer.push(bytes, engine) { continuation.resume(with: $0) }
        }
    }

    /// Has the connection's thread do something that answers later; cancelling the task stops the transfer.
    private func whileListening<Result: Sendable>(
        to transfer: OnThread<WriteTransfer>,
        _ work: @escaping @Sendable (WriteTransfer, SFTPEngine, CheckedContinuation<Result, any Error>) -> Void
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                connection.mailbox.post { engine in
                    guard let writing = transfer.value else {
                        return continuation.resume(throwing: CancellationError())
                    }
                    work(writing, engine, continuation)
                }
            }
        } onCancel: {
            connection.mailbox.post { _ in transfer.value?.stop() }
        }
    }
}

/// A value that only the connection's thread uses; tasks merely pass it to their jobs.
final class OnThread<Value>: @unchecked Sendable {  // Used in jobs of one mailbox only, which run one after the other.
    var value: Value?
    var isCancelled = false
}

/// The reader's end of an open file on the server: the file is closed when this is released.
private final class FileReader: Sendable {
    private let client: SFTPClient
    private let handle: [UInt8]
    private let range: Range<Int64>
    private let original: SFTPAttributes?
    private let pipe: ReadPipe
    private let transfer = OnThread<ReadTransfer>()

    init(_ client: SFTPClient, _ handle: [UInt8], _ range: Range<Int64>, of original: SFTPAttributes?) {
        self.original = original
        self.client = client
        self.handle = handle
        self.range = range
        let (transfer, mailbox) = (transfer, client.connection.mailbox)
        pipe = ReadPipe(expecting: Int64(range.count)) {
            mailbox.post { engine in transfer.value?.fill(engine) }
        }
    }

    deinit {
        let transfer = transfer
        client.connection.mailbox.post { _ in
            transfer.value?.stop()
            transfer.value = nil
        }
        client.forget(.close(handle))
    }

    func begin() {
        let (handle, range, original, pipe, transfer, client) = (handle, range, original, pipe, transfer, client)
        client.connection.mailbox.post { engine in
            let reading = ReadTransfer(
                handle: handle, range: range, of: original, into: pipe, traits: client.traits, counter: client.counter)
            transfer.value = reading
            reading.fill(engine)
        }
    }

    func next() async throws -> Data? { try await pipe.next() }
}
