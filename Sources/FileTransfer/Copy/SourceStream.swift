import FileProviding
import Foundation

/// A source's bytes on their way through this process: hashed and slowed down where that is wanted.
struct SourceStream {
    let source: TransferEndpoint
    let item: FileObject
    let hasher: StreamHasher?
    let bandwidth: RateLimiter?

    /// The bytes from `offset` on; opened anew when a failed write is repeated.
    func stream(from offset: Int64 = 0) -> ByteStream {
        let (source, hasher, bandwidth) = (source, hasher, bandwidth)
        let context = readingContext
        return ByteStream(length: item.size.map { $0 - offset }) {
            let contents = try await source.provider.read(
                path: source.path, range: offset == 0 ? .all : .from(offset), in: context)
            hasher?.begin(at: offset)
            let next = try await contents.bytes.begin()
            return {
                let chunk = try await next()
                if let chunk {
                    hasher?.update(chunk)
                    try await bandwidth?.pass(Double(chunk.count))
                }
                return chunk
            }
        }
    }

    /// Reads only while the source is the version that was listed.
    var readingContext: OperationContext {
        OperationContext(options: OperationOptions(expecting: item.size == nil ? nil : item.version))
    }
}
