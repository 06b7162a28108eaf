import FileProviding
import Foundation

/// Determines which item of a collection an `href` refers to (RFC 4918, section 8.3).
///
/// Servers write absolute paths, absolute URLs (behind a proxy with a host of their own, which is not compared: only a
/// name is taken from an `href`) and relative references, with each character escaped or not, in digits of either case.
struct HrefResolver: Sendable {
    /// The possible meanings of an `href` in a collection's listing.
    enum Meaning {
        case collection
        case child(ItemName, hasSlash: Bool)
        /// Something else: elsewhere, deeper, or not a valid name.
        case outside
    }

    private static let slash = UInt8(ascii: "/")

    /// The collection's path as it was requested, with a trailing slash.
    private let encodedPath: [UInt8]
    /// The same path, decoded.
    private let path: [UInt8]

    /// - Parameter collection: the collection's URL, with or without a trailing slash.
    init(collection: URL) {
        var encoded = Array(collection.path(percentEncoded: true).utf8)
        if encoded.last != Self.slash { encoded.append(Self.slash) }
        encodedPath = encoded
        path = encoded.withUnsafeBytes { Self.joiningSlashes(Self.percentDecoded($0)) }
    }

    func meaning(of href: UnsafeRawBufferPointer) -> Meaning {
        var reference = DAVText.trimmed(href)
        if reference.isEmpty { return .outside }
        if let origin = Self.originLength(reference) {
            reference = UnsafeRawBufferPointer(rebasing: reference[origin...])
            if reference.isEmpty { return path.count == 1 ? .collection : .outside }
        }
        guard reference[0] == Self.slash || Self.isEscapedSlash(reference) else { return relative(reference) }
        if Self.begins(reference, with: encodedPath), !reference[encodedPath.count...].starts(with: [Self.slash]) {
            return child(Self.percentDecoded(UnsafeRawBufferPointer(rebasing: reference[encodedPath.count...])))
        }
        let decoded = Self.joiningSlashes(Self.percentDecoded(reference))
        if decoded.starts(with: path) { return child(Array(decoded[path.count...])) }
        if decoded.elementsEqual(path.dropLast()) { return .collection }
        return rest(of: decoded).map(child) ?? .outside
    }

    /// Returns what follows the collection's path where a server that knows no case, or normalizes, writes that as it
    /// was named once; `nil` if it is another path.
    private func rest(of decoded: [UInt8]) -> [UInt8]? {
        var slashes = path.count { $0 == Self.slash }
        let bare = decoded.last == Self.slash ? decoded : decoded + [Self.slash]
        let end = bare.firstIndex {
            if $0 == Self.slash { slashes -= 1 }
            return slashes == 0
        }
        guard let end else { return nil }
        return Self.folded(bare[...end]) == Self.folded(path[...]) ? Array(decoded.dropFirst(end + 1)) : nil
    }

    private static func folded(_ path: ArraySlice<UInt8>) -> String {
        String(decoding: path, as: UTF8.self).lowercased()
    }

    private func relative(_ reference: UnsafeRawBufferPointer) -> Meaning {
        let skipped = reference.starts(with: "./".utf8) ? 2 : 0
        return child(Self.percentDecoded(UnsafeRawBufferPointer(rebasing: reference[skipped...])))
    }

    /// Some servers escape whole paths.
    private static func isEscapedSlash(_ reference: UnsafeRawBufferPointer) -> Bool {
        reference.starts(with: "%2F".utf8) || reference.starts(with: "%2f".utf8)
    }

    /// - Parameter rest: what follows the collection's path.
    private func child(_ rest: [UInt8]) -> Meaning {
        var name = rest
        let hasSlash = name.last == Self.slash
        if hasSlash { name.removeLast() }
        if name.isEmpty { return .collection }
        guard let name = try? ItemName(validating: name) else { return .outside }
        return .child(name, hasSlash: hasSlash)
    }

    private static func begins(_ text: UnsafeRawBufferPointer, with prefix: [UInt8]) -> Bool {
        guard text.count >= prefix.count else { return false }
        return prefix.withUnsafeBytes { memcmp($0.baseAddress!, text.baseAddress!, $0.count) == 0 }
    }

    /// Returns the length of `scheme://host`, or `nil` if there is none.
    private static func originLength(_ reference: UnsafeRawBufferPointer) -> Int? {
        guard reference[0] != slash, let colon = reference.firstIndex(of: UInt8(ascii: ":")),
            reference[colon...].starts(with: "://".utf8), !reference[..<colon].contains(slash)
        else { return nil }
        return reference[(colon + 3)...].firstIndex(of: slash) ?? reference.count
    }

    /// Replaces each escape by its byte (RFC 3986, section 2.1). A `%` that does not begin an escape is kept: some
    /// servers do not escape it.
    static func percentDecoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        return Array(unsafeUninitializedCapacity: text.count) { bytes, count in
            var position = 0
            while position < text.count {
                if text[position] == UInt8(ascii: "%"), position + 2 < text.count,
                    let high = hexValue(text[position + 1]), let low = hexValue(text[position + 2])
                {
                    bytes[count] = high << 4 | low
                    position += 3
                } else {
                    bytes[count] = text[position]
                    position += 1
                }
                count += 1
            }
        }
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit & 15
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): (digit & 15) + 9
        default: nil
        }
    }

    /// Replaces several slashes in a row by one.
    private static func joiningSlashes(_ path: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(path.count)
        for byte in path where byte != slash || joined.last != slash { joined.append(byte) }
        return joined
    }
}
