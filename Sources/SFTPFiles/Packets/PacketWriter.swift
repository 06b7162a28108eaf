/// Builds a request: length, type, number, fields (section 3). Numbers are big-endian, strings have a length prefix.
struct PacketWriter {
    private var bytes: [UInt8]

    /// Begins a packet of a type. Its number is filled in when it is sent.
    init(_ type: PacketType, reserving capacity: Int = 96) {
        bytes = []
        bytes.reserveCapacity(capacity)
        append(UInt32(0))
        bytes.append(type.rawValue)
        append(UInt32(0))
    }

    mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(string: [UInt8]) {
        append(UInt32(string.count))
        bytes.append(contentsOf: string)
    }

    mutating func append(_ attributes: SFTPAttributes) {
        append(attributes.flags.rawValue)
        if attributes.flags.contains(.size) { append(attributes.size) }
        if attributes.flags.contains(.owner) {
            append(attributes.user)
            append(attributes.group)
        }
        if attributes.flags.contains(.permissions) { append(attributes.mode) }
        if attributes.flags.contains(.times) {
            append(attributes.accessed)
            append(attributes.modified)
        }
    }

    /// Returns the packet with its length filled in.
    ///
    /// - Parameter following: the number of bytes that belong to the packet and that the caller appends.
    consuming func finished(following: Int = 0) -> [UInt8] {
        PacketHeader.set(length: bytes.count - 4 + following, in: &bytes)
        return bytes
    }
}

/// The fixed offsets in a packet.
enum PacketHeader {
    static let idOffset = 5

    static func set(length: Int, in packet: inout [UInt8]) { store(UInt32(length), at: 0, in: &packet) }
    static func set(id: UInt32, in packet: inout [UInt8]) { store(id, at: idOffset, in: &packet) }

    private static func store(_ number: UInt32, at offset: Int, in packet: inout [UInt8]) {
        packet.withUnsafeMutableBytes {
            $0.storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
        }
    }
}
