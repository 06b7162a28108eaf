import Foundation

extension ChecksumProvider {
    /// Returns a file's hash without transferring its bytes; neither hash nor error when the storage does not know it.
    @discardableResult
    public func checksum(
        path: ItemPath, algorithm: Checksum.Algorithm,
        completionHandler: @escaping @Sendable (_ checksum: Checksum?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().start {
            try await checksum(path: path, algorithm: algorithm)
        } finish: {
            completionHandler($0.parts.value ?? nil, $0.parts.error)
        }
    }
}
