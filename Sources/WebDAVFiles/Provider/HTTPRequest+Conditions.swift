import FileProviding
import Foundation
import HTTPFiles

extension HTTPRequest {
    /// Makes the request hold only while the file at `url`, or its own, has this tag and is under this lock (RFC 4918,
    /// section 10.4). Call once for each file.
    ///
    /// Sabre/dav and mod_dav want the conditions of all files that the request is about to hold.
    mutating func require(_ tag: ETag?, _ lock: HeldLock? = nil, at url: URL? = nil) {
        let states = [lock.map { "<\($0.token)>" }, tag.map { "[\($0.rawValue)]" }].compactMap(\.self)
        guard !states.isEmpty else { return }
        let list = "(\(states.joined(separator: " ")))"
        let condition = url.map { "<\($0.absoluteString)> \(list)" } ?? list
        headers["If"] = headers["If"].map { "\($0) \(condition)" } ?? condition
    }

    /// Makes the request hold only while its file is this version, in the way that the server takes.
    mutating func expect(_ version: FileVersion?, _ lock: HeldLock? = nil, from family: ServerFamily) {
        // mod_dav's tags are weak for a second: it refuses those in `If-Match`, and compares them in `If`.
        let tag = family.honoursTagConditions ? version?.etag : nil
        if tag == nil { expect(version) } else { isSafeToRepeat = false }
        // Without its URL mod_dav takes a tag for that of the parent too.
        require(tag, lock, at: tag == nil ? nil : url)
    }
}
