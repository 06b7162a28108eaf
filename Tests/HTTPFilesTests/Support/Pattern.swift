import Foundation

/// Bytes that differ from position to position: they repeat only after a prime number, so that no block equals another.
func pattern(_ count: Int) -> Data {
    let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    var data = Data(capacity: count)
    while data.count < count { data.append(block.prefix(count - data.count)) }
    return data
}
