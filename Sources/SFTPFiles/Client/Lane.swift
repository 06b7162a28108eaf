import FileProviding

/// One connection's part in transferring a file's pieces: requests in flight up to a window (section 6.4). Lives on the
/// connection's thread.
protocol Lane: AnyObject {
    var account: LaneAccount { get }
    /// Begins with a piece, whose end is recorded in the account.
    func begin(_ piece: Range<Int64>, _ engine: SFTPEngine)
}

extension Lane {
    /// Takes as many pieces as there is room for.
    func fill(_ engine: SFTPEngine) {
        while let piece = account.take() { begin(piece, engine) }
        account.endIfDone()
    }

    /// Gives up.
    func stop() { account.end(.failure(CancellationError())) }
}

/// The pieces that a lane has taken, and how it ends.
final class LaneAccount {
    private let work: Piecework
    private let length: Int
    private let window: Int
    private let waitsForAll: Bool
    private let onEnd: (Result<Void, any Error>) -> Void
    private var underWay = 0
    private(set) var isOver = false

    /// - Parameters:
    ///   - length: the most that one request carries, in bytes.
    ///   - window: how many bytes may be in flight, at least two requests' worth.
    ///   - waitsForAll: whether it is the lane of the connection that all share, which ends only when every piece is
    ///     done, including those of other lanes; a helper's ends when none is left to take.
    ///   - onEnd: called once; pieces that were not transferred have been given back.
    init(
        _ work: Piecework, length: Int, window: Int, waitsForAll: Bool,
        onEnd: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.work = work
        self.length = length
        self.waitsForAll = waitsForAll
        self.onEnd = onEnd
        self.window = max(window, 2 * length)
        work.join()
    }

    /// Returns the next piece, if there is room for one.
    func take() -> Range<Int64>? {
        guard !isOver, underWay < window,
            let piece = work.take(upTo: length, having: underWay, helps: !waitsForAll)
        else { return nil }
        underWay += piece.count
        return piece
    }

    /// Records that the piece has been transferred.
    func finish(_ piece: Range<Int64>) {
        underWay -= piece.count
        work.finish(piece)
    }

    /// Ends the lane because of a piece, which other lanes may transfer.
    func fail(_ error: any Error, at piece: Range<Int64>) {
        underWay -= piece.count
        end(.failure(error))
        work.giveBack(piece)
    }

    func endIfDone() {
        if underWay == 0, waitsForAll ? work.isComplete : work.isExhausted { end(.success(())) }
    }

    func end(_ result: Result<Void, any Error>) {
        guard !isOver else { return }
        isOver = true
        work.leave()
        onEnd(result)
    }
}
