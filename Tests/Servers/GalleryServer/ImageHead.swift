import FileProviding
import Foundation

/// Width and height from an image file's first bytes.
enum ImageHead {
    /// The size of a PNG, GIF or JPEG, or `nil` for anything else.
    static func size(of path: LocalPath) -> PixelSize? {
        guard let file = try? LocalFileHandle(reading: path), let head = try? file.read(at: 0, count: 24) else {
            return nil
        }
        let bytes = Array(head)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 {
            return PixelSize(width: big(bytes[16..<20]), height: big(bytes[20..<24]))
        }
        if bytes.starts(with: "GIF8".utf8), bytes.count >= 10 {
            return PixelSize(width: big([bytes[7], bytes[6]][...]), height: big([bytes[9], bytes[8]][...]))
        }
        guard bytes.starts(with: [0xFF, 0xD8]), let more = try? file.read(at: 0, count: 64 << 10) else { return nil }
        return jpegSize(Array(more))
    }

    /// From the first start-of-frame segment.
    private static func jpegSize(_ bytes: [UInt8]) -> PixelSize? {
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return PixelSize(
                    width: big(bytes[(index + 7)..<(index + 9)]), height: big(bytes[(index + 5)..<(index + 7)]))
            }
            index += 2 + big(bytes[(index + 2)..<(index + 4)])
        }
        return nil
    }

    private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
