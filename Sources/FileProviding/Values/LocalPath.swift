import Foundation

/// The path of a file on this machine, kept as the bytes the kernel knows it by.
///
/// A `file:` URL or a `String` replaces bytes that are not UTF-8 by U+FFFD, which makes it another name; this type does
/// not. Relative paths are resolved by the kernel against the process's working directory at the time of use.
public struct LocalPath: Hashable, Sendable {
    /// The path's bytes, without a terminating zero.
    public let bytes: [UInt8]

    /// Creates a path of exactly these bytes.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Creates a path from text, taken literally: no percent-decoding, no `~`.
    public init(_ path: String) {
        bytes = Array(path.utf8)
    }

    /// Creates a path from a `file:` URL; `nil` for any other URL, and for one that no path has: empty, or with a zero
    /// byte.
    public init?(_ url: URL) {
        guard url.isFileURL, let bytes = [UInt8](percentEncoded: Array(url.path(percentEncoded: true).utf8)[...]),
            !bytes.isEmpty, !bytes.contains(0)
        else { return nil }
        self.init(bytes: bytes)
    }

    /// The path as a `file:` URL, which keeps every byte; a relative path gets the working directory before it.
    public var url: URL {
        let isAbsolute = bytes.first == UInt8(ascii: "/")
        let path = isAbsolute ? self : LocalPath(FileManager.default.currentDirectoryPath).appending(bytes)
        return URL(string: "file://" + path.bytes.percentEncoded) ?? URL(filePath: path.description)
    }

    /// Returns the path with `name` appended, separated by one slash.
    public func appending(_ name: String) -> LocalPath { appending(name.utf8) }

    /// Returns the path with these bytes appended, separated by one slash.
    public func appending(_ name: some Sequence<UInt8>) -> LocalPath {
        var joined = bytes
        if joined.last != UInt8(ascii: "/") { joined.append(UInt8(ascii: "/")) }
        joined.append(contentsOf: name)
        return LocalPath(bytes: joined)
    }

    /// Calls `body` with the zero-terminated path, for a system call.
    package func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        return try terminated.withUnsafeBufferPointer { buffer throws(Failure) in
            try body(buffer.baseAddress!)
        }
    }
}

extension LocalPath: CustomStringConvertible {
    /// The path as text; bytes that are not UTF-8 show as U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension LocalPath: Codable {
    /// Decodes text, or Base64 bytes where the path is not UTF-8. Throws for a zero byte, with which paths end.
    public init(from decoder: any Decoder) throws {
        bytes = try ExactText.decode(from: decoder)
        if bytes.contains(0) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a path with a zero byte"))
        }
    }

    /// Encodes text, or Base64 bytes where the path is not UTF-8.
    public func encode(to encoder: any Encoder) throws {
        try ExactText.encode(bytes, to: encoder)
    }
}
