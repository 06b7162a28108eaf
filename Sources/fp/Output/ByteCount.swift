/// Converts numbers of bytes to text and back; K, M, G, T, P and E are powers of 1024.
enum ByteCount {
    private static let units = Array("BKMGTPE")

    /// Returns `0B`, `999B`, `1.2K`, `23M`: at most four characters, rounded up as `ls -h` does.
    static func short(_ bytes: Int64) -> String {
        guard bytes >= 1024 else { return "\(bytes)B" }
        var unit = 0
        var divisor = 1.0
        while Double(bytes) / divisor > 1023, unit < units.count - 1 {
            divisor *= 1024
            unit += 1
        }
        let tenths = (Double(bytes) / divisor * 10).rounded(.up)
        return tenths < 100
            ? "\(Int(tenths) / 10).\(Int(tenths) % 10)\(units[unit])"
            : "\(Int((tenths / 10).rounded(.up)))\(units[unit])"
    }

    /// Returns the number exactly, or in short form for display.
    static func text(_ bytes: Int64, human: Bool) -> String { human ? short(bytes) : String(bytes) }
}
