import FileProviders
import Foundation

/// A provider of one file that is read once from beginning to end and whose length is not known before: standard input,
/// a pipe, a device, or a file that the kernel generates.
final class StreamProvider: FileProvider {
    static let type = "Stream"

    /// The file's path, which distinguishes streams.
    private let path: ItemPath
    private let open: @Sendable () throws -> LocalFileHandle
    /// Whether bytes have been read, which cannot be read again.
    private let hasBegun = Locked(false)

    let context = FileProviderContext()

    /// - Parameter open: opens the file; may block, for example until another process writes to a pipe.
    init(path: ItemPath, opening open: @escaping @Sendable () throws -> LocalFileHandle) {
        self.path = path
        self.open = open
    }

    /// Returns the provider of standard input.
    static func standardInput(as path: ItemPath) -> StreamProvider {
        StreamProvider(path: path) {
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw posixError(LocalPath("-"), errno, writing: false) }
            return LocalFileHandle(owning: descriptor)
        }
    }

    var identity: ProviderIdentity { ProviderIdentity(type: Self.type, authority: path.description) }

    func copy() -> Self { Self(path: path, opening: open) }

    /// Returns a regular file of unknown size.
    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard path == self.path else { throw FileError.noSuchFile(path) }
        return FileObject(path: path, type: .regular)
    }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing(page: { throw FileError.notADirectory(path) })
    }

    /// Reads the bytes, of which those before the range are dropped; throws if some have already been read.
    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        if case .last = range { throw FileError.unsupported(path, "counting from the end of a stream") }
        let wanted = range.resolved(size: .max)
        let stream = ByteStream(length: nil, isReplayable: false) { [open, hasBegun] in
            guard !hasBegun.withLock({ $0 }) else {
                throw cocoaError(
                    path, code: .fileReadUnknown, reason: "it can be read only once", underlying: POSIXError(.ESPIPE))
            }
            let file = try await Self.waiting(open)
            let position = Locked<Int64>(0)
            return {
                // Before reading: a read that is abandoned may still consume bytes.
                hasBegun.withLock { $0 = true }
                while position.withLock({ $0 }) < wanted.upperBound {
                    let chunk = try await Self.waiting { try file.readOn(path: path) }
                    if chunk.isEmpty { return nil }
                    let start = position.withLock { position in
                        defer { position += Int64(chunk.count) }
                        return position
                    }
                    let part = (start..<start + Int64(chunk.count)).clamped(to: wanted)
                    if !part.isEmpty { return chunk.dropFirst(Int(part.lowerBound - start)).prefix(part.count) }
                }
                return nil
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

    /// Runs a call that may block forever. A cancelled task abandons it on a thread that ends with the program.
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
    /// Reads the next bytes; empty only at the end.
    fileprivate func readOn(path: ItemPath) throws -> Data {
        var (chunk, count) = (Data(count: 256 << 10), 0)
        // Reading a pipe returns few bytes at a time, so fill the chunk with what is there.
        while count < chunk.count, count == 0 || isReadable {
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

    /// Whether reading would not block.
    private var isReadable: Bool {
        var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wish, 1, 0) > 0
    }
}
