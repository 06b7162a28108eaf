/// Collects received bytes and returns complete packets, in place.
struct PacketAssembler: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    private var begin = 0
    private var end = 0

    init() {
        // Room for one packet being parsed and for a large read after it.
        buffer = .allocate(byteCount: 3 * (PacketLimits.packet + 4), alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Returns the space for the next bytes; never empty.
    mutating func free() -> UnsafeMutableRawBufferPointer {
        if begin == end {
            begin = 0
            end = 0
        } else if buffer.count - end < PacketLimits.packet {
            buffer.baseAddress!.copyMemory(from: buffer.baseAddress! + begin, byteCount: end - begin)
            end -= begin
            begin = 0
        }
        return UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    }

    /// Records how many bytes were put there.
    mutating func didFill(_ count: Int) { end += count }

    /// Returns the next complete packet without its length, valid until ``free()``; `nil` until more bytes have
    /// arrived.
    mutating func next() throws(MalformedPacket) -> UnsafeRawBufferPointer? {
        guard end - begin >= 4 else { return nil }
        let length = Int(UInt32(bigEndian: buffer.loadUnaligned(fromByteOffset: begin, as: UInt32.self)))
        guard (1...PacketLimits.packet).contains(length) else {
            throw MalformedPacket(
                reason: "a packet of \(length) bytes; either it is no SFTP at all, or the account prints text at login")
        }
        guard end - begin - 4 >= length else { return nil }
        defer { begin += 4 + length }
        return UnsafeRawBufferPointer(rebasing: buffer[(begin + 4)..<(begin + 4 + length)])
    }
}
