/// Packets waiting to be sent. Small ones are joined, so that many requests take one write.
struct OutgoingQueue {
    private static let joined = 32 << 10

    private var packets: [[UInt8]] = []
    private var first = 0
    private var offset = 0

    var isEmpty: Bool { first == packets.count }

    mutating func append(_ packet: [UInt8]) {
        if !isEmpty, packets[packets.count - 1].count + packet.count <= Self.joined {
            packets[packets.count - 1].append(contentsOf: packet)
        } else {
            packets.append(packet)
        }
    }

    /// Passes bytes to `write`, which returns how many it accepted, until it accepts none; returns whether it accepted
    /// any.
    mutating func send(_ write: (UnsafeRawBufferPointer) throws -> Int) rethrows -> Bool {
        var hasMoved = false
        while !isEmpty {
            let count = try packets[first].withUnsafeBytes { bytes in
                try write(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            }
            guard count > 0 else { break }
            hasMoved = true
            offset += count
            if offset == packets[first].count { dropFirst() }
        }
        return hasMoved
    }

    private mutating func dropFirst() {
        packets[first] = []
        first += 1
        offset = 0
        if first == packets.count {
            packets.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64 {
            packets.removeFirst(first)
            first = 0
        }
    }
}
