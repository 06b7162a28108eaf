import FileProviding

/// One connection's part in sending a local file.
final class WriteLane: Lane {
    let account: LaneAccount
    private let slice: ByteStream.LocalFileSlice
    private let start: Int64
    private let handle: [UInt8]
    private let counter: RequestCounter

    /// - Parameter start: where in the file on the server the slice's first byte goes.
    init(
        _ account: LaneAccount, from slice: ByteStream.LocalFileSlice, at start: Int64, to handle: [UInt8],
        counter: RequestCounter
    ) {
        self.account = account
        self.slice = slice
        self.start = start
        self.handle = handle
        self.counter = counter
    }

    func begin(_ piece: Range<Int64>, _ engine: SFTPEngine) {
        do {
            let (call, filled) = try SFTPCall.write(handle, at: piece.lowerBound, count: piece.count) {
                try slice.file.read(into: $0, at: slice.range.lowerBound + piece.lowerBound - start)
            }
            guard filled == piece.count else {
                throw ShortFile(expected: Int64(slice.range.count), got: piece.lowerBound + Int64(filled) - start)
            }
            counter.count(1)
            engine.send(call) { [self] answer throws(MalformedPacket) in
                try take(answer, of: piece)
                fill(engine)
            }
        } catch {
            account.fail(error, at: piece)
        }
    }

    private func take(_ answer: Result<SFTPEngine.Answer, any Error>, of piece: Range<Int64>) throws(MalformedPacket) {
        switch answer {
        case .failure(let error): account.fail(error, at: piece)
        case .success(let answer):
            var reader = PacketReader(answer.body)
            let status = try SFTPStatus(&reader)
            if status.code == .ok { account.finish(piece) } else { account.fail(status, at: piece) }
        }
    }
}
