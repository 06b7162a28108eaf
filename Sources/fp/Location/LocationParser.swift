import FileProviders
import Foundation

/// Distinguishes URLs, saved remotes and local paths: a colon before any slash makes the difference.
struct LocationParser {
    /// The schemes of providers.
    let schemes: [String]
    /// The names of the saved remotes; read only when a location could be one.
    let remotes: () throws -> [String]
    /// Returns what relative local paths are relative to.
    let workingDirectory: () throws -> [UInt8]

    /// Parses what was written.
    ///
    /// - Throws: ``Refusal`` for an unknown scheme or remote, a URL with a password, and an invalid path.
    func parse(_ argument: LocationArgument) throws -> Location {
        let text = argument.bytes
        guard !text.isEmpty else { throw Refusal("", "an empty location", remedy: "write . for the working directory") }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), !text[..<colon].contains(UInt8(ascii: "/")) else {
            return Location(place: .local(try localPath(text)), text: text)
        }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        if schemes.contains(name.lowercased()) { return Location(place: .url(try url(text)), text: text) }
        let saved = try remotes()
        guard saved.contains(name) else {
            throw Self.password(in: text) == nil ? unknown(name, text, saved) : passwordInURL(text)
        }
        return Location(place: .remote(name: name, path: try remotePath(text[(colon + 1)...], of: text)), text: text)
    }

    private func unknown(_ name: String, _ text: [UInt8], _ saved: [String]) -> Refusal {
        let known = (schemes.map { "\($0):" } + saved.map { "\($0):" }).joined(separator: " ")
        if Self.isMeantAsWebDAV(name) {
            return Refusal(
                Self.shown(text), "“\(name)” is no scheme of fp", remedy: "\(Self.webDAV); known are \(known)")
        }
        let local = name.hasPrefix("-") ? "" : " for a local file write ./\(ShownName.escaped(text)),"
        return Refusal(
            Self.shown(text), "“\(ShownName.escaped(name))” is neither a scheme nor a saved remote",
            remedy: "\(local) known are \(known)".trimmingPrefix(" ").description)
    }

    /// Returns the text for a message, without a password that it contains.
    static func shown(_ text: [UInt8]) -> String {
        password(in: text).map { ShownName.escaped(text[..<$0.lowerBound] + Array("…".utf8) + text[$0.upperBound...]) }
            ?? ShownName.escaped(text)
    }

    // MARK: URLs

    private func url(_ text: [UInt8]) throws -> URL {
        if Self.password(in: text) != nil { throw passwordInURL(text) }
        let ascii = text.flatMap { $0 < 0x80 ? [$0] : Array("%".utf8) + hexadecimal($0) }
        guard let url = URL(string: String(decoding: ascii, as: UTF8.self), encodingInvalidCharacters: false) else {
            throw Refusal(
                Self.shown(text), "not a valid URL", remedy: "percent-encode special characters: %20 for a space")
        }
        return url
    }

    /// Returns whether somebody who writes this scheme means WebDAV.
    static func isMeantAsWebDAV(_ scheme: String) -> Bool {
        ["https", "http", "webdavs", "webdav"].contains(scheme.lowercased())
    }

    private static let webDAV = "write davs://host/path for WebDAV over TLS, dav://host/path without"

    private func passwordInURL(_ text: [UInt8]) -> Refusal {
        let scheme = String(decoding: text.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        let form = Self.isMeantAsWebDAV(scheme) ? "\(Self.webDAV); " : ""
        return Refusal(
            Self.shown(text), "a password does not belong in a URL: others can see it",
            remedy: form + "use --password-file, FP_PASSWORD, ~/.netrc, `fp remote add`, or wait to be asked")
    }

    private func hexadecimal(_ byte: UInt8) -> [UInt8] { Array(String(byte, radix: 16, uppercase: true).utf8) }

    /// Returns the position of the password in `scheme://user:password@host`, also with too many slashes or too few
    /// after a scheme of ours.
    private static func password(in text: [UInt8]) -> Range<Int>? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let slashes = text[(colon + 1)...].prefix { $0 == UInt8(ascii: "/") }
        let scheme = String(decoding: text[..<colon], as: UTF8.self).lowercased()
        guard slashes.count >= 2 || isMeantAsWebDAV(scheme) || ProviderRegistry.standard.schemes.contains(scheme),
            !["file", "mem"].contains(scheme)
        else { return nil }
        let start = slashes.endIndex
        let end = text[start...].firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        guard let separator = text[start..<end].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        if let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) {
            return separator < at ? separator + 1..<at : nil
        }
        // What looks like a port but is not a number is the beginning of a password that contains a slash.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard start < end, text[start] != UInt8(ascii: "["), !text[(separator + 1)..<end].allSatisfy(digits.contains),
            let at = text[end...].lastIndex(of: UInt8(ascii: "@"))
        else { return nil }
        return separator + 1..<at
    }

    // MARK: Saved remotes

    private func remotePath(_ raw: ArraySlice<UInt8>, of text: [UInt8]) throws -> ItemPath {
        do {
            if raw.first == UInt8(ascii: "{"), raw.last == UInt8(ascii: "}") {
                let path = try ItemPath(validatingBytes: raw.dropFirst().dropLast())
                guard path.isIdentifier else {
                    throw Refusal(
                        Self.shown(text), "braces hold an identifier such as {id:abcd}",
                        remedy: "for a name with braces write a slash before it")
                }
                return path
            }
            return try ItemPath(validatingBytes: [UInt8(ascii: "/")] + collapsed(raw))
        } catch let error as CocoaError {
            throw Refusal(Self.shown(text), ErrorText.reason(of: error) ?? "not a valid path")
        }
    }

    /// Replaces runs of slashes by one, since shells and scripts join paths that way. A leading one is removed.
    private func collapsed(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let joined = Array(raw.split(separator: slash).joined(separator: [slash]))
        return raw.last == slash && !joined.isEmpty ? joined + [slash] : joined
    }
}
