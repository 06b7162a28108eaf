import FileProviding

extension ByteStream {
    /// Returns the same bytes with a known length: a stream without one is read to its end, into an unnamed local file.
    package func withLength() async throws -> ByteStream {
        guard length == nil else { return self }
        let file = try LocalFileHandle.temporary()
        var length: Int64 = 0
        for try await chunk in self {
            try file.write(chunk, at: length)
            length += Int64(chunk.count)
        }
        return ByteStream(LocalFileSlice(file: file, range: 0..<length))
    }
}
