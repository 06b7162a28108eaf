import FileProviding
import Foundation

/// The destination of a reply's body, on the loop's thread.
protocol ReplySink: AnyObject {
    /// Accepts bytes. Returns `false` when they must wait: the same bytes come again after the transfer continues.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool
    /// Whether more bytes came than are wanted: the transfer then ends successfully.
    var isSatisfied: Bool { get }
    /// Forwards what was gathered, because libcurl has no more for now.
    func flush()
    /// Ends the body; the transfer is over.
    func finish(_ error: (any Error)?)
    /// The body, as far as it has arrived.
    var body: ReplyBody { get }
}

/// A reply's body, in the requested form.
enum ReplyBody: Sendable {
    /// All of it, or the beginning of one that is not wanted.
    case whole(Data)
    /// A body that is still to come.
    case stream(BodyPipe)
    /// The number of bytes that were written to the file.
    case written(Int64)
}

/// A reply as a transfer delivers it.
struct Reply: Sendable {
    var response: HTTPResponse
    var body: ReplyBody
    /// Whether the server answered `Expect: 100-continue`.
    var sawContinue = false
}

/// The form in which a reply's body is wanted.
enum ReplyMode: Sendable {
    /// In memory.
    case whole
    /// Pulled by a task.
    case stream
    /// Written to a file.
    case file(FileTarget)
}

/// The length of the beginning of an unwanted body: enough for an error's text.
let refusedBodyLimit = 64 << 10

/// Gathers a body in memory.
final class MemorySink: ReplySink {
    private var data = Data()
    private let limit: Int64
    private let url: URL
    private let truncates: Bool

    /// - Parameter truncates: whether the bytes after the limit are left unread, instead of making the transfer fail.
    init(limit: Int64, expected: Int64?, truncates: Bool, url: URL) {
        self.limit = limit
        self.truncates = truncates
        self.url = url
        if let expected { data.reserveCapacity(Int(min(expected, limit, 1 << 20))) }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let room = limit - Int64(data.count)
        if Int64(bytes.count) > room {
            guard truncates else { throw replyTooLarge(url, limit: limit) }
            data.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<Int(room)]))
            isSatisfied = true
        } else {
            data.append(contentsOf: bytes)
        }
        return true
    }

    private(set) var isSatisfied = false
    var body: ReplyBody { .whole(data) }
    func flush() {}
    func finish(_ error: (any Error)?) {}
}

/// Returns the error for a reply that is larger than the request allows.
func replyTooLarge(_ url: URL, limit: Int64) -> URLError {
    urlError(url, code: .dataLengthExceedsMaximum, reason: "more than \(limit) bytes")
}
