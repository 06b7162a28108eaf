import FileProviders
import Foundation

/// One file that is read once from its beginning to its end, since nobody knows its length before: standard input, a pipe, a
/// device, a file that the kernel makes up.
final class StreamProvider: FileProvider {
    static let type = "Stream"

    /// The file's own path, by which streams are told apart.
    private let path: ItemPath
    private let open: @Sendable () throws -> LocalFileHandle
    /// Whether bytes were taken, which nobody gets again.
    private let hasBegun = Locked(false)

    let context = FileProviderContext()

    /// - Parameter open: opens the file; may wait, as for who writes into a pipe.
    init(path: ItemPath, opening open: @escaping @Sendable () throws -> LocalFileHandle) {
        self.path = path
        self.open = open
    }

    var identity: ProviderIdentity { ProviderIdentity(type: Self.type, authority: path.description) }

    func copy() -> Self { Self(path: path, opening: open) }

    /// A file without a size.
    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard path == self.path else { throw FileError.noSuchFile(path) }
        return FileObject(path: path, type: .regular)
    }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing(page: { throw FileError.notADirectory(path) })
    }

    /// The bytes, as long as nobody has had any.
    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        guard range == .all else { throw FileError.unsupported(path, "a part of a stream") }
        let stream = ByteStream(length: nil, isReplayable: false) { [open, hasBegun] in
            guard !hasBegun.withLock({ $0 }) else {
                throw cocoaError(path, code: .fileReadUnknown, reason: "it can be read only once")
            }
            let file = try await Self.waiting(open)
            return {
                let chunk = try await Self.waiting { try file.readOn(path: path) }
                if !chunk.isEmpty { hasBegun.withLock { $0 = true } }
                return chunk.isEmpty ? nil : chunk
            }
        }
        return FileContents(head: FileContents.Head(length: nil, totalSize: nil), bytes: stream)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        throw FileError.unsupported(path, "writing")
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        throw FileError.unsupported(path, "changing")
    }

    /// Waits for a call that may take for ever. A cancelled task leaves it behind, on a thread that ends with the program.
    private static func waiting<Result: Sendable>(
        _ call: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let waiter = Locked<CheckedContinuation<Result, any Error>?>(nil)
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                waiter.withLock { $0 = continuation }
                Thread.detachNewThread {
                    let result = Swift.Result { try call() }
                    waiter.withLock { $0.take() }?.resume(with: result)
                }
                if Task.isCancelled { waiter.withLock { $0.take() }?.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            waiter.withLock { $0.take() }?.resume(throwing: CancellationError())
        }
    }
}

extension LocalFileHandle {
    /// The next bytes, at least one unless it is the end.
    fileprivate func readOn(path: ItemPath) throws -> Data {
        var (chunk, count) = (Data(count: 256 << 10), 0)
        // A pipe gives little at a time.
        while count < chunk.count {
            let got = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0, errno == EINTR { continue }
            if got < 0, errno == EAGAIN {
                var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&wish, 1, 1000)
                continue
            }
            guard got >= 0 else { throw posixError(path, errno, writing: false) }
            if got == 0 { break }
            count += got
        }
        return chunk.prefix(count)
    }
}
