/// A reply that violates the protocol. Its connection cannot be trusted any more.
struct MalformedPacket: Error, Equatable {
    /// What is wrong, as a phrase.
    let reason: String
}

/// Reads a packet's fields; never reads beyond its end.
struct PacketReader {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func byte() throws(MalformedPacket) -> UInt8 { try take(1)[0] }

    mutating func uint32() throws(MalformedPacket) -> UInt32 {
        UInt32(bigEndian: try take(4).loadUnaligned(as: UInt32.self))
    }

    mutating func uint64() throws(MalformedPacket) -> UInt64 {
        UInt64(bigEndian: try take(8).loadUnaligned(as: UInt64.self))
    }

    /// Reads a length-prefixed string, in place.
    mutating func slice() throws(MalformedPacket) -> UnsafeRawBufferPointer { try take(Int(try uint32())) }

    /// Reads a length-prefixed string.
    mutating func string() throws(MalformedPacket) -> [UInt8] { Array(try slice()) }

    mutating func attributes() throws(MalformedPacket) -> SFTPAttributes {
        var attributes = SFTPAttributes()
        attributes.flags = SFTPAttributes.Flags(rawValue: try uint32())
        if attributes.flags.contains(.size) {
            attributes.size = try uint64()
            // No file is that long: the server does not know the size.
            if attributes.size > UInt64(Int64.max) {
                attributes.size = 0
                attributes.flags.remove(.size)
            }
        }
        if attributes.flags.contains(.owner) {
            attributes.user = try uint32()
            attributes.group = try uint32()
        }
        if attributes.flags.contains(.permissions) { attributes.mode = try uint32() }
        if attributes.flags.contains(.times) {
            attributes.accessed = try uint32()
            attributes.modified = try uint32()
        }
        if attributes.flags.contains(.extended) {
            for _ in 0..<(try uint32()) {
                _ = try slice()
                _ = try slice()
            }
        }
        return attributes
    }

    private mutating func take(_ count: Int) throws(MalformedPacket) -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw MalformedPacket(reason: "a packet ends within a field") }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}
