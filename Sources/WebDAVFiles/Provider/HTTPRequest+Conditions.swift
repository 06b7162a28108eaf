import FileProviding
import Foundation
import HTTPFiles

extension HTTPRequest {
    /// Makes the request conditional on the file at `url`, or at its own URL, having this tag and this lock (RFC 4918,
    /// section 10.4). Call once for each file.
    ///
    /// Sabre/dav and mod_dav require the conditions of all files that the request involves to be met.
    mutating func require(_ tag: ETag?, _ lock: HeldLock? = nil, at url: URL? = nil) {
        let states = [lock.map { "<\($0.token)>" }, tag.map { "[\($0.rawValue)]" }].compactMap(\.self)
        guard !states.isEmpty else { return }
        let list = "(\(states.joined(separator: " ")))"
        let condition = url.map { "<\($0.absoluteString)> \(list)" } ?? list
        headers["If"] = headers["If"].map { "\($0) \(condition)" } ?? condition
    }

    /// Makes the request conditional on its file being this version, in the way that the server supports.
    mutating func expect(_ version: FileVersion?, _ lock: HeldLock? = nil, from family: ServerFamily) {
        // mod_dav's tags are weak for a second: it refuses those in `If-Match`, but compares them in `If`.
        let tag = family.honorsTagConditions ? version?.etag : nil
        if tag == nil { expect(version) } else { isSafeToRepeat = false }
        // Without its URL, mod_dav applies a tag to the parent too.
        require(tag, lock, at: tag == nil ? nil : url)
    }
}
