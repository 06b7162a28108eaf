import FileProviding

/// Receives a file's bytes where they arrive, on the connection's thread.
protocol ReadSink: AnyObject {
    /// Accepts bytes of the transfer in order, with `offset` relative to its start: what a crash leaves has no gaps.
    func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws
    /// Reports how many bytes from the start have been accepted without a gap.
    func didAdvance(to count: Int64)
    /// Reports that all bytes have been accepted, or that none will follow because of an error.
    func finish(_ result: Result<Int64, any Error>)
    /// The number of bytes that were accepted and are not used yet; they count as in flight.
    var unused: Int { get }
}

/// Many READs in flight, limited by bytes (section 6.4). Lives on the connection's thread.
final class ReadTransfer {
    /// One READ's part of the file.
    private final class Piece {
        var offset: Int64
        var count: Int
        var held: [UInt8] = []
        var isDone = false

        init(offset: Int64, count: Int) {
            self.offset = offset
            self.count = count
        }
    }

    private let handle: [UInt8]
    private let start: Int64
    private let sink: any ReadSink
    private let counter: RequestCounter
    private let window: Int
    private let isSequential: Bool
    private let original: SFTPAttributes?
    private var pieceLength: Int
    private var next: Int64
    private var end: Int64
    private var pieces: [Piece] = []
    private var underWay = 0
    /// The number of the FSTAT that follows the last READ; `nil` as long as READs remain to be sent.
    private var confirmation: Int?
    private var confirmations = 0
    private var isConfirmed: Bool
    private var isOver = false

    /// - Parameters:
    ///   - range: the bytes to read; fewer arrive if the file ends earlier.
    ///   - original: the attributes that the file must still have when its last byte has been read; `nil` not to check.
    init(
        handle: [UInt8], range: Range<Int64>, of original: SFTPAttributes?, into sink: any ReadSink,
        traits: ServerTraits, counter: RequestCounter
    ) {
        self.handle = handle
        self.original = original
        isConfirmed = original == nil
        isSequential = traits.isSequential
        self.sink = sink
        self.counter = counter
        start = range.lowerBound
        next = start
        end = range.upperBound
        pieceLength = traits.readLength
        window = max(traits.readWindow, 2 * traits.readLength)
    }

    /// Requests as much as there is room for.
    func fill(_ engine: SFTPEngine) {
        while !isOver, next < end, underWay + sink.unused < window {
            let piece = Piece(offset: next, count: Int(min(Int64(pieceLength), end - next)))
            next += Int64(piece.count)
            pieces.append(piece)
            underWay += piece.count
            request(piece, engine)
        }
        if !isOver, next >= end, isSequential || pieces.isEmpty { confirm(engine) }
        finishIfDone()
    }

    /// Gives up without notifying the sink.
    func stop() { isOver = true }

    /// Gives up and notifies the sink.
    func cancel() { finish(.failure(CancellationError())) }

    private func request(_ piece: Piece, _ engine: SFTPEngine) {
        counter.count(1)
        engine.send(.read(handle, at: piece.offset, count: piece.count)) { [self] answer throws(MalformedPacket) in
            guard !isOver else { return }
            switch answer {
            case .failure(let error): finish(.failure(error))
            case .success(let answer) where answer.type == .data:
                var reader = PacketReader(answer.body)
                try take(try reader.slice(), for: piece, engine)
            case .success(let answer):
                var reader = PacketReader(answer.body)
                take(try SFTPStatus(&reader), for: piece)
            }
            fill(engine)
        }
    }

    /// Requests the file's current attributes: directly after the last READ if the server processes requests in order.
    private func confirm(_ engine: SFTPEngine) {
        guard let original, confirmation == nil else { return }
        confirmations += 1
        let number = confirmations
        confirmation = number
        counter.count(1)
        engine.send(.fstat(handle)) { [self] answer throws(MalformedPacket) in
            guard !isOver else { return }
            switch answer {
            case .failure(let error): finish(.failure(error))
            case .success(let answer):
                let reply = try SFTPReply(answer.type, answer.body)
                do {
                    guard try reply.attributes().isSameFile(as: original) else {
                        return finish(.failure(ChangedFile()))
                    }
                } catch {
                    return finish(.failure(error))
                }
                isConfirmed = confirmation == number
                finishIfDone()
            }
        }
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, for piece: Piece, _ engine: SFTPEngine
    ) throws(MalformedPacket) {
        guard (1...piece.count).contains(bytes.count) else {
            throw MalformedPacket(reason: "\(bytes.count) bytes answer a READ of \(piece.count)")
        }
        if pieces.first !== piece {
            // This counts as in flight until its turn: otherwise a server that never sends the first piece would fill
            // the memory.
            piece.held.append(contentsOf: bytes)
        } else {
            do {
                try sink.take(bytes, at: piece.offset - start)
            } catch {
                return finish(.failure(error))
            }
            underWay -= bytes.count
        }
        piece.offset += Int64(bytes.count)
        piece.count -= bytes.count
        if piece.count > 0 {
            // Never request more from now on than the server gives in one answer.
            if bytes.count >= 4096 { pieceLength = min(pieceLength, bytes.count) }
            confirmation = nil
            request(piece, engine)
        } else {
            piece.isDone = true
        }
        dropDone()
    }

    private func take(_ status: SFTPStatus, for piece: Piece) {
        guard status.code == .endOfFile else { return finish(.failure(status)) }
        end = min(end, piece.offset)
        underWay -= piece.count
        piece.isDone = true
        dropDone()
    }

    /// Removes the pieces that are complete, and passes on what waited for them.
    private func dropDone() {
        while let first = pieces.first {
            if !first.held.isEmpty {
                do {
                    try first.held.withUnsafeBytes {
                        try sink.take($0, at: first.offset - start - Int64(first.held.count))
                    }
                } catch {
                    return finish(.failure(error))
                }
                underWay -= first.held.count
                first.held = []
            }
            guard first.isDone else { break }
            pieces.removeFirst()
        }
        sink.didAdvance(to: min(pieces.first?.offset ?? next, end) - start)
    }

    private func finishIfDone() {
        if !isOver, isConfirmed, pieces.isEmpty, next >= end { finish(.success(end - start)) }
    }

    private func finish(_ result: Result<Int64, any Error>) {
        guard !isOver else { return }
        isOver = true
        sink.finish(result)
    }
}

/// The file was replaced or changed before its last byte had been read.
struct ChangedFile: Error {}
