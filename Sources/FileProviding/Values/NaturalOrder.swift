/// Compares names the way users expect: ASCII letters ignoring case, runs of digits by value.
package enum NaturalOrder {
    package static func compare(_ a: ItemName, _ b: ItemName) -> Int {
        a.bytes.withUnsafeBufferPointer { a in b.bytes.withUnsafeBufferPointer { compare(a, $0) } }
    }

    static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        var i = 0
        var j = 0
        while i < a.count, j < b.count {
            if isDigit(a[i]), isDigit(b[j]) {
                let runA = digits(a, &i)
                let runB = digits(b, &j)
                if runA.count != runB.count { return runA.count < runB.count ? -1 : 1 }
                for (x, y) in zip(runA, runB) where x != y { return x < y ? -1 : 1 }
            } else {
                let x = folded(a[i])
                let y = folded(b[j])
                if x != y { return x < y ? -1 : 1 }
                i += 1
                j += 1
            }
        }
        return (a.count - i) - (b.count - j)
    }

    /// Returns the run of digits at `index` without leading zeros.
    private static func digits(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return bytes[start..<index].drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func folded(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
