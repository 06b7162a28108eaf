import FileProviding

/// One connection's part in sending a local file: WRITEs under way up to a window (section 6.4).
final class WriteLane: Lane {
    private let work: Piecework
    private let slice: ByteStream.LocalFileSlice
    private let start: Int64
    private let handle: [UInt8]
    private let length: Int
    private let window: Int
    private let counter: RequestCounter
    private let waitsForAll: Bool
    private let onEnd: (Result<Void, any Error>) -> Void
    private var underWay = 0
    private var isOver = false

    /// - Parameters:
    ///   - start: where in the file on the server the slice's first byte goes.
    ///   - waitsForAll: whether the lane ends only when every piece is done, also those of others; else when none is left to take.
    ///   - onEnd: told once; pieces that could not be sent were given back.
    init(
        _ work: Piecework, from slice: ByteStream.LocalFileSlice, at start: Int64, to handle: [UInt8],
        traits: ServerTraits, counter: RequestCounter, waitsForAll: Bool,
        onEnd: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.work = work
        self.slice = slice
        self.start = start
        self.handle = handle
        self.counter = counter
        self.waitsForAll = waitsForAll
        self.onEnd = onEnd
        length = traits.writeLength
        window = max(traits.laneWindow, 2 * traits.writeLength)
    }

    /// Sends as many pieces as there is room for.
    func fill(_ engine: SFTPEngine) {
        while !isOver, underWay < window, let piece = work.take(upTo: length) { send(piece, engine) }
        if underWay == 0, waitsForAll ? work.isComplete : work.isExhausted { end(.success(())) }
    }

    /// Gives up.
    func stop() { end(.failure(CancellationError())) }

    private func send(_ piece: Range<Int64>, _ engine: SFTPEngine) {
        do {
            let (call, filled) = try SFTPCall.write(handle, at: piece.lowerBound, count: piece.count) {
                try slice.file.read(into: $0, at: slice.range.lowerBound + piece.lowerBound - start)
            }
            guard filled == piece.count else {
                throw ShortFile(expected: Int64(slice.range.count), got: piece.lowerBound + Int64(filled) - start)
            }
            counter.count(1)
            underWay += filled
            engine.send(call) { [self] answer throws(MalformedPacket) in
                underWay -= filled
                try take(answer, of: piece)
                fill(engine)
            }
        } catch {
            fail(error, at: piece)
        }
    }

    private func take(_ answer: Result<SFTPEngine.Answer, any Error>, of piece: Range<Int64>) throws(MalformedPacket) {
        switch answer {
        case .failure(let error): fail(error, at: piece)
        case .success(let answer):
            var reader = PacketReader(answer.body)
            let status = try SFTPStatus(&reader)
            if status.code == .ok { work.finish(piece) } else { fail(status, at: piece) }
        }
    }

    private func fail(_ error: any Error, at piece: Range<Int64>) {
        end(.failure(error))
        work.giveBack(piece)
    }

    private func end(_ result: Result<Void, any Error>) {
        guard !isOver else { return }
        isOver = true
        onEnd(result)
    }
}
