extension ByteStream {
    /// A part of an open local file.
    public struct LocalFileSlice: Sendable {
        /// The open file.
        public let file: LocalFileHandle
        /// Which bytes of it.
        public let range: Range<Int64>
        /// The file's name in messages, and the version it must still be when its last byte has been read.
        public let expected: (path: ItemPath, version: FileVersion)?

        /// A part of an open file.
        ///
        /// - Parameters:
        ///   - file: the open file.
        ///   - range: which bytes of it.
        ///   - expected: what the file is. Whoever reads the part to its end throws "has changed" instead of handing out
        ///     the last bytes of a file that has another size or modification time by then, so that no mixture of two
        ///     versions gets a name. A tag is not compared.
        public init(
            file: LocalFileHandle, range: Range<Int64>, expected: (path: ItemPath, version: FileVersion)? = nil
        ) {
            self.file = file
            self.range = range
            self.expected = expected
        }

        /// A part of this part.
        package func part(_ range: Range<Int64>) -> LocalFileSlice {
            LocalFileSlice(file: file, range: range, expected: expected)
        }

        /// Fills `buffer` from `offset` in the file; returns how many bytes there were. With the part's last byte makes sure
        /// of the version.
        package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            let count = try file.read(into: buffer, at: offset)
            if offset + Int64(count) >= range.upperBound { try confirm() }
            return count
        }

        /// Throws "has changed" when the file is not the expected version any more.
        package func confirm() throws {
            guard let expected else { return }
            let now = try file.version()
            guard expected.version.size == nil || expected.version.size == now.size,
                expected.version.modificationTime == nil
                    || expected.version.modificationTime == now.modificationTime
            else { throw FileError.changed(expected.path) }
        }
    }
}
