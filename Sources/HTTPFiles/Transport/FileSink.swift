import FileProviding
import Foundation

/// The file that a reply is written to, and the closure that decides whether.
struct FileTarget: Sendable {
    var file: LocalFileHandle
    var offset: Int64
    var progress: @Sendable (Int64) -> Void
    var accept: @Sendable (HTTPResponse) throws -> HTTPDownloadDecision
}

/// Writes a body into a file as it arrives.
final class FileSink: ReplySink {
    private let target: FileTarget
    private let url: URL
    private let limit: Int64?
    private var skipping: Int64
    private var remaining: Int64
    private var received: Int64 = 0
    private var written: Int64 = 0
    private var reported: Int64 = 0

    init(_ target: FileTarget, skipping: Int64, length: Int64?, limit: Int64?, url: URL) {
        self.target = target
        self.skipping = skipping
        self.url = url
        self.limit = limit
        remaining = length ?? .max
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        received += Int64(bytes.count)
        if let limit, received > limit { throw replyTooLarge(url, limit: limit) }
        let skipped = Int(min(skipping, Int64(bytes.count)))
        skipping -= Int64(skipped)
        let count = Int(min(remaining, Int64(bytes.count - skipped)))
        isSatisfied = bytes.count > skipped + count
        guard count > 0 else { return true }
        let part = UnsafeRawBufferPointer(rebasing: bytes[skipped..<skipped + count])
        try target.file.write(part, at: target.offset + written)
        written += Int64(count)
        remaining -= Int64(count)
        return true
    }

    private(set) var isSatisfied = false
    var body: ReplyBody { .written(written) }

    func flush() {
        guard written > reported else { return }
        reported = written
        target.progress(written)
    }

    func finish(_ error: (any Error)?) { flush() }
}
