import FileProviding
import Foundation

/// Returns bytes that differ from block to block and from seed to seed, always the same for the same arguments.
func sample(_ count: Int, seed: UInt64 = 1) -> Data {
    var words: [UInt64] = []
    words.reserveCapacity(count / 8 + 1)
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0...(count / 8) {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        words.append(state)
    }
    return words.withUnsafeBytes { Data($0.prefix(count)) }
}

extension ByteStream {
    /// Returns `data` in chunks of these sizes, repeatedly, without a length unless `length` gives one.
    static func pieces(_ data: Data, sizes: [Int] = [512 << 10], length: Int64? = nil) -> ByteStream {
        failing(after: data, sizes: sizes, length: length, with: nil)
    }

    /// Returns a stream of `data` that then throws `error`.
    static func failing(
        after data: Data, sizes: [Int] = [64 << 10], length: Int64? = nil, with error: (any Error)?
    ) -> ByteStream {
        ByteStream(length: length, isReplayable: false) {
            let position = Locked((offset: 0, turn: 0))
            return {
                let chunk: Data? = position.withLock { position in
                    guard position.offset < data.count else { return nil }
                    let size = sizes[position.turn % sizes.count]
                    let end = Swift.min(position.offset + size, data.count)
                    defer { position = (end, position.turn + 1) }
                    return data.subdata(in: position.offset..<end)
                }
                if chunk == nil, let error { throw error }
                return chunk
            }
        }
    }

    /// Returns a stream of `first`, then `rest` once `gate` is open; `onHold` is called when the writer requests more
    /// than `first`.
    static func held(
        _ first: Data, until gate: Outcome<Void>, then rest: Data, onHold: @escaping @Sendable () -> Void
    ) -> ByteStream {
        ByteStream(length: Int64(first.count + rest.count), isReplayable: false) {
            let turn = Locked(0)
            return {
                let now = turn.withLock { turn in
                    defer { turn += 1 }
                    return turn
                }
                if now == 0 { return first }
                guard now == 1 else { return nil }
                onHold()
                await gate.value
                return rest
            }
        }
    }
}

/// The error of a failing source: not one of Foundation's, so that nothing else can have produced it.
struct SourceFailure: Error, Equatable {}
