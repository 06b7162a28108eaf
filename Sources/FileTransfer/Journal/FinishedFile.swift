import Crypto
import FileProviding
import Foundation

/// The journal's record of a copied file: which file it is, and what the destination reported about the copy. Kept
/// small, since there may be a million.
struct FinishedFile: Sendable, Hashable {
    /// Identifies the target and the version of the source; see ``JobIdentity/key(of:_:)``.
    var key: UInt64
    /// A hash of the copy's tag.
    var tag: UInt64?
    /// The copy's modification time.
    var time: FileTime?
    /// If that is unknown: the latest time, by the destination's clock, at which the copy was written.
    var latest: FileTime?

    /// Creates the record of the file with this key from the reply to its upload.
    ///
    /// - Parameter duration: how long writing took. Added to the reply's time, since some servers report the time of
    ///   the request (Apache).
    init(key: UInt64, _ copy: FileObject?, writtenIn duration: Duration) {
        self.key = key
        tag = copy?.etag.map(Self.mark)
        time = copy?.modificationTime
        guard time == nil, let moment = copy?[.writtenBy] else { return }
        latest = FileTime(seconds: moment.seconds + duration.components.seconds + 1)
    }

    /// Returns whether a file may still be this copy, as far as both are known.
    ///
    /// - Parameter precision: the precision with which times are stored and reported, in nanoseconds.
    func mayBe(_ file: FileObject, precision: Int64) -> Bool {
        if let tag, let other = file.etag { return tag == Self.mark(of: other) }
        guard let other = file.modificationTime else { return true }
        if let time { return time.isWithin(precision, of: other) }
        return latest.map { other.seconds <= $0.seconds } ?? true
    }

    /// Returns a hash of a tag, which is the same for weak and strong tags.
    private static func mark(of tag: ETag) -> UInt64 {
        SHA256.hash(data: Data(tag.opaque.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FinishedFile {
    /// The key and the tag's hash in hexadecimal and a time in nanoseconds, with the prefix `<` if it is the latest
    /// possible one; `-` for an unknown value.
    var text: Data {
        let moment = time.map { "\($0.nanoseconds)" } ?? latest.map { "<\($0.nanoseconds)" } ?? "-"
        return Data("\(String(key, radix: 16)) \(tag.map { String($0, radix: 16) } ?? "-") \(moment)".utf8)
    }

    /// Parses a ``text``; earlier versions wrote only the key.
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
