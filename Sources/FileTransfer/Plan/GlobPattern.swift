import FileProviding
import Foundation

private let slash = UInt8(ascii: "/")

/// One gitignore-like pattern.
struct GlobPattern: Sendable, Hashable {
    private let pattern: [UInt8]
    private let isAnchored: Bool
    private let onlyDirectories: Bool

    init(_ pattern: [UInt8]) {
        var bytes = pattern
        onlyDirectories = bytes.last == slash
        if onlyDirectories { bytes.removeLast() }
        isAnchored = bytes.contains(slash)
        if bytes.first == slash { bytes.removeFirst() }
        self.pattern = bytes
    }

    func matches(_ path: ItemPath, isDirectory: Bool) -> Bool {
        guard isDirectory || !onlyDirectories else { return false }
        let components = path.components.map(\.bytes)
        let text = isAnchored ? Array(components.joined(separator: [slash])) : components.last ?? []
        return Self.match(pattern[...], text[...])
    }

    /// The kinds of wildcards.
    private enum Star {
        /// Anything within a component.
        case component
        /// Anything.
        case anything
        /// Whole components, or none.
        case components
    }

    /// Where matching continues when what follows a wildcard does not match: with more text for the wildcard.
    private struct Retry {
        let star: Star
        let pattern: ArraySlice<UInt8>
        var text: ArraySlice<UInt8>

        /// Extends the wildcard's text. Returns `false` if the wildcard cannot match more.
        mutating func advance() -> Bool {
            switch star {
            case .component where text.first == slash: return false
            case .component, .anything:
                guard !text.isEmpty else { return false }
                text = text.dropFirst()
            case .components:
                guard let end = text.firstIndex(of: slash) else { return false }
                text = text[(end + 1)...]
            }
            return true
        }
    }

    /// Matches a pattern. Backtracks to the last star only, and to the last double star: linear in practice, never
    /// exponential.
    private static func match(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (pattern, text) = (pattern, text)
        var retries: [Retry] = []
        var isAtStart = true
        while true {
            if let star = takeStar(&pattern, isAtStart: isAtStart) {
                retries.removeAll { star != .component || $0.star == .component }
                retries.append(Retry(star: star, pattern: pattern, text: text))
                isAtStart = isAtStart && star == .components
                continue
            }
            if pattern.isEmpty, text.isEmpty { return true }
            if let rest = matchOne(pattern, text.first) {
                isAtStart = text.first == slash
                pattern = rest
                text = text.dropFirst()
                continue
            }
            while let last = retries.indices.last, !retries[last].advance() { retries.removeLast() }
            guard let last = retries.last else { return false }
            (pattern, text) = (last.pattern, last.text)
            isAtStart = last.star == .components
        }
    }

    /// Removes the stars at the beginning of the pattern; returns `nil` if there are none. At the start of a component,
    /// `**/` matches whole components and a final `**` matches anything. Elsewhere several stars are the same as one.
    private static func takeStar(_ pattern: inout ArraySlice<UInt8>, isAtStart: Bool) -> Star? {
        guard pattern.first == UInt8(ascii: "*") else { return nil }
        let stars = pattern.prefix { $0 == UInt8(ascii: "*") }.count
        pattern = pattern.dropFirst(stars)
        guard stars > 1, isAtStart else { return .component }
        guard let next = pattern.first else { return .anything }
        guard next == slash else { return .component }
        pattern = pattern.dropFirst()
        return .components
    }

    /// Returns the pattern after its first element when that matches `byte`.
    private static func matchOne(_ pattern: ArraySlice<UInt8>, _ byte: UInt8?) -> ArraySlice<UInt8>? {
        guard let byte, let first = pattern.first else { return nil }
        switch first {
        case UInt8(ascii: "?"): return byte == slash ? nil : pattern.dropFirst()
        case UInt8(ascii: "\\") where pattern.count > 1:
            return pattern.dropFirst().first == byte ? pattern.dropFirst(2) : nil
        case UInt8(ascii: "["):
            guard let (isMatch, rest) = matchSet(pattern.dropFirst(), byte) else {
                return first == byte ? pattern.dropFirst() : nil
            }
            return isMatch ? rest : nil
        default: return first == byte ? pattern.dropFirst() : nil
        }
    }

    /// Returns whether a set contains `byte`, and the pattern after the set; `nil` for an unterminated set.
    private static func matchSet(_ set: ArraySlice<UInt8>, _ byte: UInt8) -> (Bool, ArraySlice<UInt8>)? {
        var rest = set
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest = rest.dropFirst() }
        var isMember = false
        var isFirst = true
        while let next = rest.first, isFirst || next != UInt8(ascii: "]") {
            isFirst = false
            if let (isInClass, behind) = matchClass(rest, byte) {
                isMember = isMember || isInClass
                rest = behind
                continue
            }
            guard let low = takeMember(&rest) else { return nil }
            guard rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") else {
                isMember = isMember || low == byte
                continue
            }
            rest = rest.dropFirst()
            guard let high = takeMember(&rest) else { return nil }
            isMember = isMember || (low <= byte && byte <= high)
        }
        guard rest.first == UInt8(ascii: "]") else { return nil }
        return (isMember != isNegated && byte != slash, rest.dropFirst())
    }

    /// Removes the first byte of a set, or the one behind a backslash, which is then no more than itself.
    private static func takeMember(_ set: inout ArraySlice<UInt8>) -> UInt8? {
        if set.first == UInt8(ascii: "\\") { set = set.dropFirst() }
        return set.popFirst()
    }

    /// Returns whether the class at the front of a set, such as `[:digit:]`, contains `byte`, and the set after it;
    /// `nil` if there is none (POSIX.1, XBD section 9.3.5; ASCII only, whatever the locale).
    private static func matchClass(_ set: ArraySlice<UInt8>, _ byte: UInt8) -> (Bool, ArraySlice<UInt8>)? {
        guard set.starts(with: "[:".utf8) else { return nil }
        let name = set.dropFirst(2).prefix { $0 != UInt8(ascii: ":") }
        let behind = set[name.endIndex...]
        guard behind.starts(with: ":]".utf8), let holds = classes[String(decoding: name, as: UTF8.self)] else {
            return nil
        }
        return (byte < 0x80 && holds(Int32(byte)) != 0, behind.dropFirst(2))
    }

    private static let classes: [String: @Sendable (Int32) -> Int32] = [
        "alnum": { isalnum($0) }, "alpha": { isalpha($0) }, "blank": { isblank($0) }, "cntrl": { iscntrl($0) },
        "digit": { isdigit($0) }, "graph": { isgraph($0) }, "lower": { islower($0) }, "print": { isprint($0) },
        "punct": { ispunct($0) }, "space": { isspace($0) }, "upper": { isupper($0) }, "xdigit": { isxdigit($0) },
    ]
}
