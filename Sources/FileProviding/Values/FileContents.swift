import Foundation

/// A file opened for reading: what is known about it, and its bytes.
public struct FileContents: AsyncSequence, Sendable {
    /// What is known about the file before its first byte.
    public struct Head: Sendable {
        /// Where in the file the bytes begin.
        public var offset: Int64
        /// How many bytes there are, if known.
        public var length: Int64?
        /// The whole file's size, if known.
        public var totalSize: Int64?
        /// Which version is being read.
        public var version: FileVersion
        /// The media type, if reported.
        public var contentType: String?

        /// Creates a head.
        public init(
            offset: Int64 = 0, length: Int64?, totalSize: Int64?, version: FileVersion = FileVersion(),
            contentType: String? = nil
        ) {
            self.offset = offset
            self.length = length
            self.totalSize = totalSize
            self.version = version
            self.contentType = contentType
        }
    }

    /// What is known about the file before its first byte.
    public let head: Head
    /// The bytes. Dropping them unread closes the file or connection.
    public let bytes: ByteStream

    /// Creates contents from a head and the bytes.
    public init(head: Head, bytes: ByteStream) {
        self.head = head
        self.bytes = bytes
    }

    /// Begins reading.
    public func makeAsyncIterator() -> ByteStream.AsyncIterator { bytes.makeAsyncIterator() }

    /// Returns all bytes at once. Throws `.fileReadTooLarge` beyond `limit` bytes.
    public func collect(limit: Int = .max) async throws -> Data { try await bytes.collect(limit: limit) }
}
