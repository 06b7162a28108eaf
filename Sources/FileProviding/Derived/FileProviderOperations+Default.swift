import Foundation

extension FileProviderOperations {
    /// Implements uploads and downloads by reading and writing; refuses everything else as unsupported.
    @discardableResult
    public func defaultPerform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject?
    {
        guard let provider = self as? any FileProviderReadWrite else { throw unsupported(operation) }
        switch operation {
        case .upload(let file, let path):
            return try await provider.write(path: path, from: ByteStream(localFile: file), in: context)
        case .download(let path, let file):
            try await provider.download(path, to: file, in: context)
            return nil
        case .create, .copy, .move, .remove, .link, .modify, .fetch:
            throw unsupported(operation)
        }
    }

    private func unsupported(_ operation: FileOperationType) -> CocoaError {
        FileError.unsupported(operation.source, "\(Self.type) cannot \(operation.actionDescription.lowercased())")
    }
}
