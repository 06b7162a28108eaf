import FileProviding

/// Takes a file's bytes where they arrive, on the connection's thread.
protocol ReadSink: AnyObject {
    /// Takes bytes of the transfer in order, `offset` counted from its beginning: what a crash leaves is a beginning.
    func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws
    /// So many bytes from the beginning have been taken without a gap.
    func didAdvance(to count: Int64)
    /// All bytes have been taken, or none will follow because of an error.
    func finish(_ result: Result<Int64, any Error>)
    /// How many bytes were taken and are not used yet; they count as under way.
    var unused: Int { get }
}

/// Many READs under way at once, bounded by bytes (section 6.4). Lives on the connection's thread.
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
    /// The FSTAT that follows the last READ, by its number; none while a READ is to be sent.
    private var confirmation: Int?
    private var confirmations = 0
    private var isConfirmed: Bool
    private var isOver = false

    /// - Parameters:
    ///   - range: which bytes to read; fewer come where the file ends earlier.
    ///   - original: what the file has to look like still when its last byte has been read; `nil` where nobody cares.
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

    /// Asks for as much as there is room for.
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

    /// Gives up; the sink hears nothing more.
    func stop() { isOver = true }

    /// Gives up; the sink is told.
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

    /// Asks what the file looks like by now: right behind the last READ where the server does one thing after the other.
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
            // Counts as under way until it is its turn: else a server that never gives the first piece would fill the memory.
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
            // What a server gives at most in one answer is all that is asked for from now on.
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

    /// Forgets the pieces that are complete, and hands on what waited for them.
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

/// The file was another one before its last byte had been read.
struct ChangedFile: Error {}
