import FileProviding
import Foundation
import HTTPFiles

/// An upload by TUS whose stored bytes are compared: OpenCloud itself compares no hashes, but reports the new file's.
final class TUSUpload: ResumableUpload {
    private let provider: WebDAVFileProvider
    private let upload: HTTPUpload<WebDAVFileProvider>
    private let path: ItemPath
    /// The hash of everything sent, unless some of it was sent in an earlier run or twice.
    private let sum: Locked<ChecksumHasher?>

    init(_ path: ItemPath, _ upload: HTTPUpload<WebDAVFileProvider>, _ provider: WebDAVFileProvider) {
        self.provider = provider
        self.upload = upload
        self.path = path
        sum = Locked(upload.acknowledged == 0 ? ChecksumHasher(.sha1) : nil)
    }

    var acknowledged: Int64 { upload.acknowledged }
    func saveState() throws -> State { try upload.saveState() }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        do {
            try await bytes.forEachPart(of: provider.uploadPartLength) { part in
                if sum.withLock({ $0 != nil }) {
                    for try await chunk in part { sum.withLock { $0?.update(chunk) } }
                }
                try await upload.append(part, in: context)
            }
        } catch {
            sum.withLock { $0 = nil }
            throw error
        }
    }

    /// Commits the upload. While the server is still examining the file, it reports at least its size.
    func commit(in context: OperationContext) async throws -> FileObject {
        let size = acknowledged
        _ = try await upload.commit(in: context)
        let file = try await provider.attributesOfItem(path: path)
        let sent = sum.withLock { $0 }?.checksum
        let told = file.checksums.first { $0.algorithm == .sha1 }
        guard file.size == size, sent == nil || told == nil || told == sent else {
            throw cocoaError(path, code: .fileWriteUnknown, reason: "the server stored other bytes than were sent")
        }
        return file
    }

    func abort() async throws { try await upload.abort() }
}
