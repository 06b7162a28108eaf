import FileProviding
import Foundation

extension ByteStream {
    /// Calls `body` with the stream in parts of at most `length` bytes, in order; each can be sent again, and knows its
    /// length.
    ///
    /// Parts of a local file stay there; of anything else, one part at a time is in memory.
    package func forEachPart(of length: Int64, _ body: (ByteStream) async throws -> Void) async throws {
        let length = Swift.max(length, 1)
        if let slice = localFile {
            var offset = slice.range.lowerBound
            while offset < slice.range.upperBound {
                let end = offset + Swift.min(length, slice.range.upperBound - offset)
                try await body(ByteStream(slice.part(offset..<end)))
                offset = end
            }
            return
        }
        var part: PartBuffer?
        for try await chunk in self {
            var rest = chunk[...]
            while !rest.isEmpty {
                let buffer = try part ?? PartBuffer(capacity: Int(Swift.min(length, 1 << 30)))
                rest = rest.dropFirst(buffer.append(rest))
                part = buffer.isFull ? nil : buffer
                if buffer.isFull { try await body(ByteStream(buffer.data)) }
            }
        }
        if let part { try await body(ByteStream(part.data)) }
    }

    /// Returns the first bytes of a stream that can be read again; fewer if it is shorter.
    package func beginning(_ length: Int64) async throws -> ByteStream {
        if let slice = localFile {
            let start = slice.range.lowerBound
            return ByteStream(slice.part(start..<Swift.min(start + length, slice.range.upperBound)))
        }
        return ByteStream(length: length) {
            let next = try await begin()
            let left = Locked(Int(clamping: length))
            return {
                guard left.withLock({ $0 }) > 0, let chunk = try await next() else { return nil }
                return left.withLock { left in
                    defer { left -= Swift.min(left, chunk.count) }
                    return chunk.prefix(left)
                }
            }
        }
    }

    /// Returns a part without its last byte, and that byte.
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
