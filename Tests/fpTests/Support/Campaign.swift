import Foundation

/// How much of a long campaign to run: a seeded subset, or all of it under `Scripts/check`.
enum Campaign {
    static let isFull = TestServer.variables["FP_TEST_CAMPAIGN"] == "full"
}

/// Chance that comes back: xorshift64*, the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    /// So many bytes of chance.
    mutating func bytes(_ count: Int) -> Data {
        var data = Data(count: count)
        data.withUnsafeMutableBytes { (buffer: UnsafeMutableRawBufferPointer) in
            var position = 0
            while position < count {
                withUnsafeBytes(of: next()) { number in
                    let length = min(8, count - position)
                    buffer.baseAddress!.advanced(by: position).copyMemory(
                        from: number.baseAddress!, byteCount: length)
                    position += length
                }
            }
        }
        return data
    }
}
