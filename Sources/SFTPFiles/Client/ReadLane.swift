import FileProviding

/// One connection's part in fetching a file.
final class ReadLane: Lane {
    /// The part of a piece that has arrived.
    private final class Part {
        let piece: Range<Int64>
        var bytes: [UInt8] = []
        var position: Int64 { piece.lowerBound + Int64(bytes.count) }
        var missing: Int { piece.count - bytes.count }

        init(_ piece: Range<Int64>) { self.piece = piece }
    }

    let account: LaneAccount
    private let file: OrderedFile
    private let handle: [UInt8]
    private let counter: RequestCounter

    init(_ account: LaneAccount, from handle: [UInt8], into file: OrderedFile, counter: RequestCounter) {
        self.account = account
        self.file = file
        self.handle = handle
        self.counter = counter
    }

    func begin(_ piece: Range<Int64>, _ engine: SFTPEngine) { request(Part(piece), engine) }

    private func request(_ part: Part, _ engine: SFTPEngine) {
        counter.count(1)
        engine.send(.read(handle, at: part.position, count: part.missing)) {
            [self] answer throws(MalformedPacket) in
            switch answer {
            case .failure(let error): account.fail(error, at: part.piece)
            case .success(let answer) where answer.type == .data:
                var reader = PacketReader(answer.body)
                try take(try reader.slice(), for: part, engine)
            case .success(let answer):
                var reader = PacketReader(answer.body)
                let status = try SFTPStatus(&reader)
                let isEnd = status.code == .endOfFile
                account.fail(isEnd ? EndOfFile(position: part.position) : status, at: part.piece)
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
            return account.isOver ? account.fail(CancellationError(), at: part.piece) : request(part, engine)
        }
        do {
            try file.take(part.bytes, at: part.piece.lowerBound)
        } catch {
            return account.fail(error, at: part.piece)
        }
        account.finish(part.piece)
    }
}

/// The file on the server has no more bytes than these.
struct EndOfFile: Error {
    let position: Int64
}
