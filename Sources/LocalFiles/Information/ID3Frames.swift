#if Thumbnails
import FileProviding
import Foundation

/// The frames of an ID3v2 tag (id3v2.4.0-structure), as far as TagLib reads them.
///
/// TagLib unpacks compressed frames without a limit: a file of a few hundred kilobytes could take gigabytes of memory.
/// Hardly any program writes such frames.
struct ID3Frames {
    private let bytes: [UInt8]
    private let version: UInt8

    /// The longest tag that is read, in bytes.
    private static let longest = 64 << 20
    private static let headerLength = 10

    /// Returns whether a file has a compressed frame, or a tag that is too long to tell.
    ///
    /// - Parameter isSearched: whether the tag may begin anywhere, as in an MP3.
    static func arePacked(in file: LocalFileHandle, searching isSearched: Bool) throws -> Bool {
        guard let start = try start(in: file, searching: isSearched) else { return false }
        let header = [UInt8](try file.read(at: start, count: headerLength))
        guard header.count == headerLength, header[3] == 3 || header[3] == 4 else { return false }
        let length = synchsafe(header[6...])
        guard length <= longest else { return true }
        var bytes = [UInt8](try file.read(at: start + Int64(headerLength), count: length))
        if header[3] == 3, header[5] & 0x80 != 0 { bytes = resynchronized(bytes) }
        let frames = ID3Frames(bytes: bytes, version: header[3])
        return frames.arePacked(from: header[5] & 0x40 == 0 ? 0 : frames.extendedHeaderLength)
    }

    private static func start(in file: LocalFileHandle, searching isSearched: Bool) throws -> Int64? {
        let marker = Data("ID3".utf8)
        if try file.read(at: 0, count: marker.count) == marker { return 0 }
        guard isSearched else { return nil }
        var offset: Int64 = 0
        while true {
            let piece = try file.read(at: offset, count: 1 << 20)
            if let found = piece.firstRange(of: marker) {
                return offset + Int64(found.lowerBound - piece.startIndex)
            }
            guard piece.count > marker.count else { return nil }
            // The marker may be on the border of two pieces.
            offset += Int64(piece.count - marker.count + 1)
            if piece.count < 1 << 20 { return nil }
        }
    }

    private func arePacked(from start: Int) -> Bool {
        var position = start
        while position + Self.headerLength < bytes.count, isName(at: position) {
            let isPacked = bytes[position + 9] & (version == 3 ? 0x80 : 0x08) != 0
            if isPacked { return true }
            let size = frameSize(at: position)
            guard size > 0 else { return false }
            position += Self.headerLength + size
        }
        return false
    }

    /// Returns a frame's length. Some programs write plain numbers where version 4 wants synchsafe ones; what follows
    /// tells.
    private func frameSize(at position: Int) -> Int {
        let plain = Self.number(bytes[(position + 4)..<(position + 8)], bits: 8)
        guard version == 4 else { return plain }
        let size = Self.synchsafe(bytes[(position + 4)..<(position + 8)])
        let next = position + Self.headerLength
        return size > 127 && !isName(at: next + size) && isName(at: next + plain) ? plain : size
    }

    /// Whether the bytes can be a frame's identifier: capital letters and digits.
    private func isName(at position: Int) -> Bool {
        guard position >= 0, position + 4 <= bytes.count else { return false }
        return bytes[position..<(position + 4)].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    private var extendedHeaderLength: Int {
        guard bytes.count >= 4 else { return 0 }
        return version == 3 ? 4 + Self.number(bytes[..<4], bits: 8) : Self.synchsafe(bytes[..<4])
    }

    /// Reads a number of 7 bits per byte; with any other bytes, one of 8.
    private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int {
        number(bytes, bits: bytes.allSatisfy { $0 < 0x80 } ? 7 : 8)
    }

    private static func number(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int {
        bytes.reduce(0) { $0 << bits | Int($1) }
    }

    /// Removes the zeros that keep a tag from looking like sound (section 6.1).
    private static func resynchronized(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() where byte != 0 || index == 0 || bytes[index - 1] != 0xFF {
            result.append(byte)
        }
        return result
    }
}
#endif
