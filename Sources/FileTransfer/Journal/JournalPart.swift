import FileProviding
import Foundation

/// A file being copied, as the journal knows it: what to continue or to remove after a crash.
struct JournalPart: Codable, Sendable {
    /// The path of the copy.
    var target: ItemPath
    /// The name that it is written to, if it is verified before it replaces an old file.
    var staged: ItemPath?
    /// The version of the source that is being copied.
    var version: FileVersion
    /// What distinguishes a local source from another file of the same size and time.
    var sourceMark: String?
    /// The number of temporary names used.
    var names = 0
    /// What the destination needs to continue.
    var state: ResumableUpload.State?
    /// The bytes that have arrived, if the destination cannot know.
    var received: ReceivedRanges?
    /// Whether the bytes arrive in order, so that an open local file's size tells how many there are.
    var isSequential: Bool?
    /// The boot of this machine during which the bytes are written, for a local file.
    var boot: String?
    /// Whether the bytes recorded in the state are on the medium, so that they survive a crash of the machine.
    var isFlushed: Bool?

    /// Returns whether the bytes can be continued for this version of the source, during this boot of the machine.
    ///
    /// - Parameter mark: the source's ``sourceMark`` now.
    func continues(_ version: FileVersion, boot: String?, mark: String? = nil) -> Bool {
        if let sourceMark, let mark, sourceMark != mark { return false }
        guard state != nil, isFlushed == true || self.boot == nil || self.boot == boot else { return false }
        let (mine, theirs) = (self.version.tellingTag, version.tellingTag)
        if let mine, let theirs, mine != theirs { return false }
        return self.version.isTelling && self.version.size == version.size
            && self.version.modificationTime == version.modificationTime
    }
}

extension JournalPart {
    /// Whether there is nothing to continue yet: such a file needs a short line only, and most files are small.
    var isJustBegun: Bool { state == nil && staged == nil }

    /// The number of names used, and the target.
    var shortText: Data { Data("\(names) \(target.percentEncoded)".utf8) }

    /// Parses a ``shortText``; the line may have spaces after it.
    init?(shortText: Data) {
        let words = String(decoding: shortText, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let names = Int(words[0]), let target = try? ItemPath(percentEncoded: String(words[1]))
        else { return nil }
        self.init(target: target, version: FileVersion(), names: names)
    }
}

extension FileVersion {
    /// The tag, unless it is empty, as some servers send for all files alike.
    fileprivate var tellingTag: Substring? { etag.map(\.opaque).flatMap { $0.count > 2 ? $0 : nil } }

    /// Whether a file that has changed would have another one: more than a size is known.
    var isTelling: Bool { tellingTag != nil || modificationTime != nil }
}
