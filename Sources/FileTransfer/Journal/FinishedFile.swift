import Crypto
import FileProviding
import Foundation

/// A copied file as the journal remembers it: which one, and what the destination said of the copy. A few bytes, for there may be
/// a million.
struct FinishedFile: Sendable, Hashable {
    /// Tells where it went, and which version of its source it is; see ``JobIdentity/key(of:_:)``.
    var key: UInt64
    /// A mark of the copy's tag.
    var tag: UInt64?
    /// When the copy was last changed.
    var time: FileTime?
    /// Where that was not told: the destination's own time when it was there, at the latest.
    var latest: FileTime?

    /// The file of this key, as the reply to its writing describes it.
    ///
    /// - Parameter duration: how long that took. Some servers tell when a request came (Apache).
    init(key: UInt64, _ copy: FileObject?, writtenIn duration: Duration) {
        self.key = key
        tag = copy?.etag.map(Self.mark)
        time = copy?.modificationTime
        guard time == nil, let moment = copy?[.writtenBy] else { return }
        latest = FileTime(seconds: moment.seconds + duration.components.seconds + 1)
    }

    /// Whether a file may be this copy still, as far as both are known.
    ///
    /// - Parameter precision: how finely times are kept and told, in nanoseconds.
    func mayBe(_ file: FileObject, precision: Int64) -> Bool {
        if let tag, let other = file.etag { return tag == Self.mark(of: other) }
        guard let other = file.modificationTime else { return true }
        if let time { return time.isWithin(precision, of: other) }
        return latest.map { other.seconds <= $0.seconds } ?? true
    }

    /// A number for a tag, the same whether it is a weak one.
    private static func mark(of tag: ETag) -> UInt64 {
        SHA256.hash(data: Data(tag.opaque.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FinishedFile {
    /// Hexadecimal digits of the key and the tag, and a time, behind `<` one that is the latest possible; `-` for what is not known.
    var text: Data {
        let moment = time.map { "\($0.nanoseconds)" } ?? latest.map { "<\($0.nanoseconds)" } ?? "-"
        return Data("\(String(key, radix: 16)) \(tag.map { String($0, radix: 16) } ?? "-") \(moment)".utf8)
    }

    /// Reads a ``text``; earlier versions wrote only the key.
    init?(text: Data) {
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard let key = words.first.flatMap({ UInt64($0, radix: 16) }) else { return nil }
        self.key = key
        guard words.count == 3 else { return }
        tag = UInt64(words[1], radix: 16)
        let isLatest = words[2].first == "<"
        let moment = Int64(isLatest ? words[2].dropFirst() : words[2]).map { FileTime(nanoseconds: $0) }
        if isLatest { latest = moment } else { time = moment }
    }
}
