import Foundation

/// A real PNG of one grey, small on the disk whatever its size (ISO/IEC 15948).
enum SamplePNG {
    static func data(width: Int, height: Int) -> Data {
        let scanline = [0] + [UInt8](repeating: 0x80, count: width)
        let raw = (0..<height).flatMap { _ in scanline }
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        append("IHDR", big(width) + big(height) + [8, 0, 0, 0, 0], to: &png)
        append("IDAT", stored(raw), to: &png)
        append("IEND", [], to: &png)
        return png
    }

    private static func append(_ type: String, _ body: [UInt8], to png: inout Data) {
        let typed = Array(type.utf8) + body
        png.append(contentsOf: big(body.count) + typed + big(Int(checksum(typed))))
    }

    /// A zlib stream of one block without compression (RFC 1950, RFC 1951 section 3.2.4); at most 65,535 bytes.
    private static func stored(_ raw: [UInt8]) -> [UInt8] {
        let (low, high) = (UInt8(raw.count & 0xFF), UInt8(raw.count >> 8))
        var (a, b) = (1, 0)
        for byte in raw { (a, b) = ((a + Int(byte)) % 65_521, (b + a + Int(byte)) % 65_521) }
        return [0x78, 0x01, 0x01, low, high, ~low, ~high] + raw + big(b << 16 | a)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    private static func big(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }
}
