import FileProviding

/// Determines whether two files have the same bytes, as cheaply as the storage allows: by its checksums, otherwise by
/// reading.
struct ContentsComparison: Sendable {
    private let provider: any FileProviderBasic

    init(_ provider: any FileProviderBasic) { self.provider = provider }

    /// Returns whether a file of the storage has the bytes of a local file.
    func isSame(_ path: ItemPath, _ file: LocalPath) async throws -> Bool {
        let stream = try ByteStream(localFile: file)
        let present = try await provider.attributesOfItem(path: path)
        guard present.isRegularFile, present.size == stream.length else { return false }
        let checksum = try await self.checksum(of: path)
        return try await Checksum.of(stream, checksum.algorithm) == checksum
    }

    /// Returns whether two files of the storage have the same bytes.
    func isSame(_ path: ItemPath, _ other: ItemPath) async throws -> Bool {
        let checksum = try await self.checksum(of: path)
        return try await self.checksum(of: other, checksum.algorithm) == checksum
    }

    private func checksum(of path: ItemPath, _ wanted: Checksum.Algorithm? = nil) async throws -> Checksum {
        if let provider = provider as? any ChecksumProvider {
            // Adler-32 only detects accidents.
            for algorithm in provider.checksumAlgorithms where algorithm != .adler32 && algorithm == wanted ?? algorithm
            {
                if let checksum = try await provider.checksum(path: path, algorithm: algorithm) { return checksum }
            }
        }
        guard let provider = provider as? any FileProviderReadWrite else {
            throw FileError.unsupported(path, "files of this storage cannot be read")
        }
        let contents = try await provider.read(path: path, range: .all, in: OperationContext())
        return try await Checksum.of(contents, wanted ?? .sha256)
    }
}
