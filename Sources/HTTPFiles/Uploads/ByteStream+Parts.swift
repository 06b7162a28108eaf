import FileProviding
import Foundation

extension ByteStream {
    /// Hands out the stream in parts of at most `length` bytes, in order; each can be sent again, and knows its length.
    ///
    /// Parts of a local file stay there; of anything else one part at a time is in memory.
    package func forEachPart(of length: Int64, _ body: (ByteStream) async throws -> Void) async throws {
        if let slice = localFile {
            var offset = slice.range.lowerBound
            while offset < slice.range.upperBound {
                let end = Swift.min(offset + length, slice.range.upperBound)
                try await body(ByteStream(slice.part(offset..<end)))
                offset = end
            }
            return
        }
        var part: PartBuffer?
        for try await chunk in self {
            var rest = chunk[...]
            while !rest.isEmpty {
                let buffer = try part ?? PartBuffer(capacity: Int(length))
                rest = rest.dropFirst(buffer.append(rest))
                part = buffer.isFull ? nil : buffer
                if buffer.isFull { try await body(ByteStream(buffer.data)) }
            }
        }
        if let part { try await body(ByteStream(part.data)) }
    }

    /// A part without its last byte, and that byte.
    package func splittingLastByte() async throws -> (rest: ByteStream, last: Data) {
        if let slice = localFile {
            let end = slice.range.upperBound - 1
            let rest = ByteStream(slice.part(slice.range.lowerBound..<end))
            return (rest, try slice.file.read(at: end, count: 1))
        }
        let data = try await collect()
        return (ByteStream(Data(data.dropLast())), Data(data.suffix(1)))
    }
}

/// Memory for one part, which goes back to the system with it: malloc keeps several of this size, scattered.
private final class PartBuffer {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private var count = 0

    init(capacity: Int) throws {
        let memory = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw POSIXError(.ENOMEM) }
        base = memory
        self.capacity = capacity
    }

    deinit { munmap(base, capacity) }

    var isFull: Bool { count == capacity }

    /// The bytes so far; they hold on to the memory.
    var data: Data { Data(bytesNoCopy: base, count: count, deallocator: .custom { [self] _, _ in _ = self }) }

    /// Takes as many bytes as there is room for, and returns how many.
    func append(_ bytes: Data) -> Int {
        let taken = bytes.prefix(capacity - count)
        taken.withUnsafeBytes { (base + count).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        count += taken.count
        return taken.count
    }
}
