import Foundation

/// SplitMix64: the same numbers for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// So many bytes of chance.
    package mutating func bytes(_ count: Int) -> Data {
        var data = Data(count: count)
        data.withUnsafeMutableBytes { buffer in
            for start in stride(from: 0, to: count, by: 8) {
                withUnsafeBytes(of: next()) { number in
                    UnsafeMutableRawBufferPointer(rebasing: buffer[start..<min(start + 8, count)])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: number[..<min(8, count - start)]))
                }
            }
        }
        return data
    }
}
