import FileProviding
import Foundation

/// Bytes whose order is the natural order of names: ASCII letters ignoring case, runs of digits by value.
///
/// A run of digits becomes `0`, its length without leading zeros (two bytes) and its digits, so that a longer number
/// compares higher, and any number still sorts where a digit sorts among other bytes.
enum NaturalSortKey {
    static func key(for name: ItemName) -> Data {
        let bytes = name.bytes
        var key = Data(capacity: bytes.count + 8)
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                key.append(bytes[index] &- UInt8(ascii: "A") < 26 ? bytes[index] | 0x20 : bytes[index])
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, isDigit(bytes[index]) { index += 1 }
            let digits = bytes[start..<index].drop { $0 == UInt8(ascii: "0") }
            key.append(UInt8(ascii: "0"))
            key.append(UInt8(truncatingIfNeeded: digits.count >> 8))
            key.append(UInt8(truncatingIfNeeded: digits.count))
            key.append(contentsOf: digits)
        }
        return key
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
