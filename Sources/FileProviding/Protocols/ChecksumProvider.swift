/// A provider that knows files' hashes without transferring their bytes.
public protocol ChecksumProvider: FileProviderBasic {
    /// The hash algorithms it can report, best first.
    var checksumAlgorithms: [Checksum.Algorithm] { get }
    /// Returns a file's hash without transferring its bytes, or `nil` when the storage does not know this one.
    func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum?
}
