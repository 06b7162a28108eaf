extension ByteStream {
    /// A part of an open local file.
    public struct LocalFileSlice: Sendable {
        /// The open file.
        public let file: LocalFileHandle
        /// The bytes of the file, as offsets.
        public let range: Range<Int64>
        /// The file's path for error messages, and the version that it must still be when its last byte has been read.
        public let expected: (path: ItemPath, version: FileVersion)?

        /// Creates a slice of an open file.
        ///
        /// - Parameters:
        ///   - file: the open file.
        ///   - range: the bytes of the file, as offsets.
        ///   - expected: the file's path and version. A reader that reaches the end of the slice throws "has changed"
        ///     instead of handing out the last bytes if the file has another size or modification time by then, so that
        ///     no mixture of two versions is ever stored under a name. A tag is not compared.
        public init(
            file: LocalFileHandle, range: Range<Int64>, expected: (path: ItemPath, version: FileVersion)? = nil
        ) {
            self.file = file
            self.range = range
            self.expected = expected
        }

        /// Returns a part of this part.
        package func part(_ range: Range<Int64>) -> LocalFileSlice {
            LocalFileSlice(file: file, range: range, expected: expected)
        }

        /// Reads into `buffer` from `offset` in the file; returns the number of bytes read. Checks the version after
        /// the part's last byte, or if the file ends early.
        package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            let count = try file.read(into: buffer, at: offset)
            if offset + Int64(count) >= range.upperBound || count < buffer.count { try confirm() }
            return count
        }

        /// Throws "has changed" when the file is no longer the expected version.
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
