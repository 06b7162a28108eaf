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
    /// If that is unknown: when the copy was written at the earliest and at the latest, by the destination's clock.
    var written: ClosedRange<FileTime>?

    /// Creates the record of the file with this key from the reply to its upload.
    ///
    /// - Parameter duration: how long writing took: some servers report the time of the request (Apache), others that
    ///   of the reply.
    init(key: UInt64, _ copy: FileObject?, writtenIn duration: Duration) {
        self.key = key
        tag = copy?.etag.map(Self.mark)
        time = copy?.modificationTime
        guard time == nil, let moment = copy?[.writtenBy] else { return }
        let margin = duration.components.seconds + 1
        written = FileTime(seconds: moment.seconds - margin)...FileTime(seconds: moment.seconds + margin)
    }

    /// Returns whether a file may still be this copy, as far as both are known.
    ///
    /// - Parameter precision: the precision with which times are stored and reported, in nanoseconds.
    func mayBe(_ file: FileObject, precision: Int64) -> Bool {
        if let tag, let other = file.etag { return tag == Self.mark(of: other) }
        guard let other = file.modificationTime else { return true }
        if let time { return time.isWithin(precision, of: other) }
        return written?.contains(FileTime(seconds: other.seconds)) ?? true
    }

    /// Returns a hash of a tag, which is the same for weak and strong tags.
    private static func mark(of tag: ETag) -> UInt64 {
        SHA256.hash(data: Data(tag.opaque.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FinishedFile {
    /// The key and the tag's hash in hexadecimal and a time in nanoseconds, or with `<` between them the earliest and
    /// the latest possible one; `-` for an unknown value.
    var text: Data {
        let range = written.map { "\($0.lowerBound.nanoseconds)<\($0.upperBound.nanoseconds)" }
        let moment = time.map { "\($0.nanoseconds)" } ?? range ?? "-"
        return Data("\(String(key, radix: 16)) \(tag.map { String($0, radix: 16) } ?? "-") \(moment)".utf8)
    }

    /// Parses a ``text``; earlier versions wrote only the key, or only the latest time.
    init?(text: Data) {
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard let key = words.first.flatMap({ UInt64($0, radix: 16) }) else { return nil }
        self.key = key
        guard words.count == 3 else { return }
        tag = UInt64(words[1], radix: 16)
        let moments = words[2].split(separator: "<").compactMap { Int64($0) }.map(FileTime.init(nanoseconds:))
        if !words[2].contains("<") {
            time = moments.first
        } else if let latest = moments.last {
            let earliest = moments.count < 2 ? FileTime(nanoseconds: .min) : moments[0]
            written = min(earliest, latest)...latest
        }
    }
}
