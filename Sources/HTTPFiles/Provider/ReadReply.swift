import FileProviding
import Foundation

/// What the head of a reply to a read says about the bytes that follow it.
struct ReadReply {
    /// What is known of the file and of the bytes that were asked for.
    var head: FileContents.Head
    /// How many of the reply's bytes lie before those that were asked for.
    var skipping: Int64 = 0

    /// - Parameter expected: the version that is expected, whose size counts where the reply tells none.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the server sent another range than it was asked for.
    init(_ response: HTTPResponse, range: ByteRange, path: ItemPath, expecting expected: FileVersion? = nil) throws {
        let version = FileVersion(
            etag: response.headers["ETag"].map(ETag.init(rawValue:)),
            modificationTime: response.headers["Last-Modified"].flatMap(HTTPDate.parse))
        head = FileContents.Head(
            length: nil, totalSize: nil, version: version, contentType: response.headers["Content-Type"])
        switch response.status {
        case 206: try readPartial(response, range: range, path: path, size: expected?.size)
        case 416:
            head.length = 0
            head.totalSize = response.headers["Content-Range"].flatMap(ContentRange.init)?.size
            head.offset = head.totalSize ?? 0
            // Some refuse what reaches beyond the end although it begins before it.
            if let size = head.totalSize, !range.resolved(size: size).isEmpty { throw Self.otherRange(path) }
        // Some servers say 200 to a part, and that it is one (PHP's HTTP_WebDAV_Server).
        case 200 where range != .all && response.headers["Content-Range"] != nil:
            try readPartial(response, range: range, path: path, size: expected?.size)
        default: try readWhole(response, range: range, path: path)
        }
        head.version.size = head.totalSize
    }

    private mutating func readPartial(
        _ response: HTTPResponse, range: ByteRange, path: ItemPath, size expected: Int64?
    ) throws {
        let field = response.headers["Content-Range"]
        if response.contentLength == 0, field == nil || expected == 0 {
            // An empty file has no range that could be written down.
            head.length = 0
            return
        }
        guard let told = field.flatMap(ContentRange.init), let sent = told.range,
            case let size = told.size ?? expected, let wanted = range.part(of: sent, size: size)
        else { throw Self.otherRange(path) }
        skipping = wanted.lowerBound - sent.lowerBound
        head.offset = wanted.lowerBound
        // Without a size nobody knows whether this is all the rest.
        head.length = size == nil && range.goesToTheEnd ? nil : Int64(wanted.count)
        head.totalSize = told.size
    }

    private static func otherRange(_ path: ItemPath) -> CocoaError {
        cocoaError(
            path, code: .fileReadCorruptFile, reason: "the server sent another range than it was asked for",
            underlying: OtherRange())
    }

    /// A server that ignores `Range` sends everything; the range is cut out here.
    private mutating func readWhole(_ response: HTTPResponse, range: ByteRange, path: ItemPath) throws {
        let isEncoded = response.headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
        head.totalSize = isEncoded ? nil : response.contentLength
        if let size = head.totalSize {
            let wanted = range.resolved(size: size)
            skipping = wanted.lowerBound
            head.offset = wanted.lowerBound
            head.length = Int64(wanted.count)
            return
        }
        switch range {
        case .all: break
        case .from(let offset): (skipping, head.offset) = (offset, offset)
        case .range(let range): (skipping, head.offset) = (range.lowerBound, range.lowerBound)
        case .last: throw FileError.unsupported(path, "the server tells neither ranges nor sizes")
        }
    }
}

/// A server does not give the ranges that it is asked for.
private struct OtherRange: Error {}

extension Error {
    /// Whether a server gave another range than it was asked for: whole files it may give all the same.
    var isOtherRange: Bool { (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] is OtherRange }
}

extension FileContents.Head {
    /// What the head of a reply to a read of `range` tells of the file. Throws like ``ReadReply/init(_:range:path:)``.
    package init(_ response: HTTPResponse, range: ByteRange, path: ItemPath) throws {
        self = try ReadReply(response, range: range, path: path).head
    }
}

extension ByteRange {
    fileprivate var goesToTheEnd: Bool {
        switch self {
        case .all, .from: true
        case .range, .last: false
        }
    }

    /// The bytes of a 206 that were asked for, or `nil` when they are not all in it. Some servers send more than asked.
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
