import FileProviding

/// One connection's part in fetching a file: READs under way up to a window (section 6.4).
final class ReadLane: Lane {
    /// A piece, as far as it has arrived.
    private final class Part {
        let piece: Range<Int64>
        var bytes: [UInt8] = []
        var position: Int64 { piece.lowerBound + Int64(bytes.count) }
        var missing: Int { piece.count - bytes.count }

        init(_ piece: Range<Int64>) { self.piece = piece }
    }

    private let work: Piecework
    private let file: OrderedFile
    private let handle: [UInt8]
    private let length: Int
    private let window: Int
    private let counter: RequestCounter
    private let waitsForAll: Bool
    private let onEnd: (Result<Void, any Error>) -> Void
    private var underWay = 0
    private var isOver = false

    /// - Parameters:
    ///   - waitsForAll: whether the lane ends only when every piece is done, also those of others; else when none is left to take.
    ///   - onEnd: told once; pieces that did not arrive were given back.
    init(
        _ work: Piecework, from handle: [UInt8], into file: OrderedFile, traits: ServerTraits, counter: RequestCounter,
        waitsForAll: Bool, onEnd: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.work = work
        self.file = file
        self.handle = handle
        self.counter = counter
        self.waitsForAll = waitsForAll
        self.onEnd = onEnd
        length = traits.readLength
        window = max(traits.laneWindow, 2 * traits.readLength)
    }

    func fill(_ engine: SFTPEngine) {
        while !isOver, underWay < window, let piece = work.take(upTo: length) {
            underWay += piece.count
            request(Part(piece), engine)
        }
        if underWay == 0, waitsForAll ? work.isComplete : work.isExhausted { end(.success(())) }
    }

    func stop() { end(.failure(CancellationError())) }

    private func request(_ part: Part, _ engine: SFTPEngine) {
        counter.count(1)
        engine.send(.read(handle, at: part.position, count: part.missing)) {
            [self] answer throws(MalformedPacket) in
            switch answer {
            case .failure(let error): giveUp(part, error)
            case .success(let answer) where answer.type == .data:
                var reader = PacketReader(answer.body)
                try take(try reader.slice(), for: part, engine)
            case .success(let answer):
                var reader = PacketReader(answer.body)
                let status = try SFTPStatus(&reader)
                giveUp(part, status.code == .endOfFile ? EndOfFile(position: part.position) : status)
            }
            fill(engine)
        }
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, for part: Part, _ engine: SFTPEngine
    ) throws(MalformedPacket) {
        guard (1...part.missing).contains(bytes.count) else {
            throw MalformedPacket(reason: "\(bytes.count) bytes answer a READ of \(part.missing)")
        }
        part.bytes.append(contentsOf: bytes)
        guard part.missing == 0 else {
            return isOver ? giveUp(part, CancellationError()) : request(part, engine)
        }
        do {
            try file.take(part.bytes, at: part.piece.lowerBound)
        } catch {
            return giveUp(part, error)
        }
        underWay -= part.piece.count
        work.finish(part.piece)
    }

    private func giveUp(_ part: Part, _ error: any Error) {
        underWay -= part.piece.count
        end(.failure(error))
        work.giveBack(part.piece)
    }

    private func end(_ result: Result<Void, any Error>) {
        guard !isOver else { return }
        isOver = true
        onEnd(result)
    }
}

/// The file on the server has no more bytes than these.
struct EndOfFile: Error {
    let position: Int64
}
