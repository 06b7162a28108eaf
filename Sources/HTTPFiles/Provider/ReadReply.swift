import FileProviding
import Foundation

/// What the head of a reply to a read says about the bytes that follow.
struct ReadReply {
    /// What is known about the file and the requested bytes.
    var head: FileContents.Head
    /// The number of the reply's bytes before the requested ones.
    var skipping: Int64 = 0
    /// The most bytes to use after those, if the range or the reply limits them. A size that is merely expected is no
    /// limit: more bytes show that the file has changed.
    var limit: Int64?

    /// - Parameters:
    ///   - version: the version that the reply tells.
    ///   - expected: the expected version, whose size is used where the reply does not report one.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the server sent another range than requested; ``UnknownSize``.
    init(
        _ response: HTTPResponse, _ version: FileVersion, range: ByteRange, path: ItemPath,
        expecting expected: FileVersion? = nil
    ) throws {
        head = FileContents.Head(
            length: nil, totalSize: nil, version: version, contentType: response.headers["Content-Type"])
        if case .range(let range) = range { limit = Int64(range.count) }
        switch response.status {
        case 206: try readPartial(response, range: range, path: path, size: expected?.size)
        case 416:
            // Some servers refuse a range that extends beyond the end although it begins before it.
            guard let size = response.headers["Content-Range"].flatMap(ContentRange.init)?.size ?? expected?.size,
                range.resolved(size: size).isEmpty
            else { throw Self.otherRange(path) }
            (head.length, head.totalSize, head.offset) = (0, size, size)
        // Some servers answer a partial request with 200 and mark the reply as partial (PHP's HTTP_WebDAV_Server).
        case 200 where range != .all && response.headers["Content-Range"] != nil:
            try readPartial(response, range: range, path: path, size: expected?.size)
        default: try readWhole(response, range: range, path: path, size: expected?.size)
        }
        head.version.size = head.totalSize
        if let size = head.totalSize, let told = version.modificationTime {
            head.version.modificationTime = version.etag?.time(ofSize: size, reported: told) ?? told
        }
    }

    private mutating func readPartial(
        _ response: HTTPResponse, range: ByteRange, path: ItemPath, size expected: Int64?
    ) throws {
        let field = response.headers["Content-Range"]
        // A single range must not be answered with MIME parts (RFC 9110, section 15.3.7.2).
        guard response.headers["Content-Type"]?.lowercased().hasPrefix("multipart/byteranges") != true else {
            throw Self.otherRange(path)
        }
        if response.contentLength == 0, expected == 0 || expected == nil && field == nil && range.beginsWithTheFile {
            // An empty file has no range that could be expressed.
            head.length = 0
            return
        }
        guard let told = field.flatMap(ContentRange.init), let sent = told.range,
            case let size = told.size ?? expected, let wanted = range.part(of: sent, size: size)
        else { throw Self.otherRange(path) }
        skipping = wanted.lowerBound - sent.lowerBound
        head.offset = wanted.lowerBound
        // Without a size it is unknown whether this is all the rest.
        head.length = size == nil && range.goesToTheEnd ? nil : Int64(wanted.count)
        limit = head.length
        head.totalSize = told.size
    }

    private static func otherRange(_ path: ItemPath) -> CocoaError {
        cocoaError(
            path, code: .fileReadCorruptFile, reason: "the server sent another range than it was asked for",
            underlying: OtherRange())
    }

    /// Reads the reply of a server that ignores `Range` and sends everything; the range is cut out here.
    private mutating func readWhole(
        _ response: HTTPResponse, range: ByteRange, path: ItemPath, size expected: Int64?
    ) throws {
        head.totalSize = response.isEncoded ? nil : response.contentLength ?? expected
        if let size = head.totalSize {
            let wanted = range.resolved(size: size)
            skipping = wanted.lowerBound
            head.offset = wanted.lowerBound
            head.length = Int64(wanted.count)
            if response.contentLength != nil { limit = head.length }
            return
        }
        switch range {
        case .all: break
        case .from(let offset): (skipping, head.offset) = (offset, offset)
        case .range(let range): (skipping, head.offset) = (range.lowerBound, range.lowerBound)
        case .last: throw UnknownSize()
        }
    }
}

/// The server ignores ranges and does not tell the size, which the end of a file cannot be found without.
struct UnknownSize: Error {}

/// The server sent another range than requested.
private struct OtherRange: Error {}

extension Error {
    /// Whether a server sent another range than requested; it may still be able to send whole files.
    var isOtherRange: Bool { (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] is OtherRange }
}

extension HTTPResponse {
    /// The version that the reply tells by `ETag` and `Last-Modified`.
    var reportedVersion: FileVersion {
        FileVersion(etag: etag, modificationTime: headers["Last-Modified"].flatMap(HTTPDate.parse))
    }

    /// Whether a file's bytes follow, or a part of them: other successful statuses mean other things (RFC 9110, section
    /// 15.3).
    package var hasContents: Bool { status == 200 || status == 206 }

    /// Whether the bytes are those of an encoding of the file (RFC 9110, section 8.4).
    var isEncoded: Bool { headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false }

    /// Returns whether the server says that it has none of the bytes requested by `Range`.
    func isBeyondTheEnd(for request: HTTPRequest) -> Bool { status == 416 && request.headers["Range"] != nil }
}

extension FileContents.Head {
    /// Creates a head from the reply to a read of `range`. Parameters and errors are those of ``ReadReply``.
    package init(
        _ response: HTTPResponse, range: ByteRange, path: ItemPath, expecting expected: FileVersion? = nil
    ) throws {
        self = try ReadReply(response, response.reportedVersion, range: range, path: path, expecting: expected).head
    }
}

extension ByteRange {
    /// Whether it is empty only where the file is.
    fileprivate var beginsWithTheFile: Bool {
        switch self {
        case .all, .last: true
        case .from(let offset): offset == 0
        case .range(let range): range.lowerBound == 0
        }
    }

    fileprivate var goesToTheEnd: Bool {
        switch self {
        case .all, .from: true
        case .range, .last: false
        }
    }

    /// Returns the requested bytes of a 206, or `nil` when it does not hold all of them. Some servers send more than
    /// requested.
    func part(of sent: Range<Int64>, size: Int64?) -> Range<Int64>? {
        let wanted: Range<Int64>
        if let size {
            wanted = resolved(size: size)
        } else {
            switch self {
            case .all: wanted = 0..<max(sent.upperBound, 0)
            case .from(let offset): wanted = offset..<max(sent.upperBound, offset)
            case .range(let range): wanted = range
            case .last(let count): wanted = max(sent.lowerBound, sent.upperBound - count)..<sent.upperBound
            }
        }
        return sent.lowerBound <= wanted.lowerBound && wanted.upperBound <= sent.upperBound ? wanted : nil
    }
}
