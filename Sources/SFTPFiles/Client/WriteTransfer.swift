import FileProviding
import Foundation

/// Many WRITEs in flight, limited by bytes (section 6.4). Lives on the connection's thread.
final class WriteTransfer {
    /// The result of a transfer that did not fail.
    struct Outcome: Sendable {
        /// The number of bytes written.
        let count: Int64
        /// The answers to the trailing requests; none if not all announced bytes came.
        let replies: [SFTPReply]
    }

    private struct Piece {
        let end: Int64
        var isDone = false
    }

    /// Requests that follow the last byte.
    var trailing: [SFTPCall] = []
    /// Called before they are sent.
    var onTrailing: () -> Void = {}
    /// Called with the number of bytes from the first one that the server holds without a gap.
    var onAcknowledged: (Int64) -> Void = { _ in }

    private let handle: [UInt8]
    private let start: Int64
    private let slice: ByteStream.LocalFileSlice?
    private let expected: Int64?
    private let length: Int
    private let window: Int
    private let isSequential: Bool
    private let counter: RequestCounter
    private var onEnd: ((Result<Outcome, any Error>) -> Void)?
    private var onRoom: ((Result<Void, any Error>) -> Void)?
    private var failure: (any Error)?
    private var isComplete = false
    private var next: Int64
    private var pieces: [Int64: Piece] = [:]
    private var acknowledged: Int64
    private var underWay = 0
    private var hasTrailed = false
    private var replies: [SFTPReply?] = []

    /// Creates a transfer from a stream: an open local file is read on this thread, anything else is pushed by a task.
    ///
    /// - Parameter offset: where in the file on the server the first byte goes.
    init(
        handle: [UInt8], at offset: Int64, from source: ByteStream, traits: ServerTraits, counter: RequestCounter
    ) {
        self.handle = handle
        self.counter = counter
        slice = source.localFile
        expected = source.length
        start = offset
        next = offset
        acknowledged = offset
        length = traits.writeLength
        isSequential = traits.isSequential
        window = max(traits.window, 2 * traits.writeLength)
    }

    /// Sends as much of the local file as there is room for.
    func fill(_ engine: SFTPEngine) {
        guard let slice else { return }
        while failure == nil, !isComplete, underWay < window {
            let position = slice.range.lowerBound + (next - start)
            let count = Int(min(Int64(length), slice.range.upperBound - position))
            guard count > 0 else {
                isComplete = true
                break
            }
            do {
                let (call, filled) = try SFTPCall.write(handle, at: next, count: count) {
                    try slice.read(into: $0, at: position)
                }
                if filled < count { isComplete = true }
                if filled > 0 { send(call, count: filled, engine) }
            } catch {
                fail(error)
            }
        }
        endIfDone(engine)
    }

    /// Sends bytes that a task pushes; `whenRoom` is called once more are accepted.
    func push(_ bytes: Data, _ engine: SFTPEngine, whenRoom: @escaping (Result<Void, any Error>) -> Void) {
        var rest = bytes[...]
        while failure == nil, !rest.isEmpty {
            let part = rest.prefix(length)
            rest = rest.dropFirst(part.count)
            let (call, _) = SFTPCall.write(handle, at: next, count: part.count) {
                part.copyBytes(to: $0)
            }
            send(call, count: part.count, engine)
        }
        onRoom = whenRoom
        giveRoom()
    }

    /// Waits for the end: after the last push, or after the last byte of the local file.
    func end(_ engine: SFTPEngine, _ onEnd: @escaping (Result<Outcome, any Error>) -> Void) {
        // It may have been stopped, or refused, before this call.
        if let failure { return onEnd(.failure(failure)) }
        self.onEnd = onEnd
        if slice == nil { isComplete = true }
        endIfDone(engine)
    }

    /// Gives up: nothing more is sent.
    func stop() { fail(CancellationError()) }

    private func send(_ call: SFTPCall, count: Int, _ engine: SFTPEngine) {
        counter.count(1)
        let offset = next
        next += Int64(count)
        pieces[offset] = Piece(end: next)
        underWay += count
        engine.send(call) { [self] answer throws(MalformedPacket) in
            underWay -= count
            switch answer {
            case .failure(let error): fail(error)
            case .success(let answer):
                var reader = PacketReader(answer.body)
                let status = try SFTPStatus(&reader)
                if status.code == .ok { acknowledge(offset) } else { fail(status) }
            }
            fill(engine)
            giveRoom()
            endIfDone(engine)
        }
    }

    private func acknowledge(_ offset: Int64) {
        pieces[offset]?.isDone = true
        while let piece = pieces[acknowledged], piece.isDone {
            pieces[acknowledged] = nil
            acknowledged = piece.end
        }
        if failure == nil { onAcknowledged(acknowledged - start) }
    }

    private func giveRoom() {
        if let failure {
            onRoom.take()?(.failure(failure))
        } else if underWay < window {
            onRoom.take()?(.success(()))
        }
    }

    private func endIfDone(_ engine: SFTPEngine) {
        guard failure == nil, isComplete else { return }
        if !hasTrailed, isSequential || underWay == 0 { trail(engine) }
        guard underWay == 0, hasTrailed else { return }
        onEnd.take()?(.success(Outcome(count: next - start, replies: replies.compactMap { $0 })))
    }

    private func trail(_ engine: SFTPEngine) {
        hasTrailed = true
        guard expected == nil || expected == next - start, !trailing.isEmpty else { return }
        onTrailing()
        replies = Array(repeating: nil, count: trailing.count)
        for (index, call) in trailing.enumerated() {
            counter.count(1)
            underWay += 1
            engine.send(call) { [self] answer throws(MalformedPacket) in
                switch answer {
                case .failure(let error): fail(error)
                case .success(let answer): replies[index] = try SFTPReply(answer.type, answer.body)
                }
                underWay -= 1
                endIfDone(engine)
            }
        }
    }

    private func fail(_ error: any Error) {
        if failure == nil { failure = error }
        giveRoom()
        onEnd.take()?(.failure(failure ?? error))
    }
}
