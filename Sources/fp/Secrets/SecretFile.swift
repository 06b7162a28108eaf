import FileProviders
import Foundation

/// A file whose first line is a secret. It may be a pipe: `--password-file <(pass show cloud)`.
struct SecretFile {
    private let path: LocalPath
    private let kind: String

    /// - Parameter kind: what the secret is, for messages.
    init(_ path: LocalPath, holding kind: String) {
        self.path = path
        self.kind = kind
    }

    /// Returns the secret.
    ///
    /// - Throws: ``Refusal`` that names the file; `CancellationError`.
    func firstLine() throws -> String {
        let bytes = try read()
        guard !bytes.isEmpty else { throw refusal("it is empty") }
        guard let text = String(validating: bytes.prefix { $0 != Self.newline }, as: UTF8.self) else {
            throw refusal("it is not UTF-8 text")
        }
        let line = text.hasSuffix("\r") ? String(text.dropLast()) : text
        guard !line.isEmpty else { throw refusal("its first line is empty") }
        return line
    }

    private static let newline = UInt8(ascii: "\n")
    private static let limit = 64 << 10

    /// Reads until there is a line, or the file ends.
    private func read() throws -> [UInt8] {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { throw refusal(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < Self.limit, !bytes.contains(Self.newline) {
            try Task.checkCancellation()
            // Wait for a pipe whose other end has not been opened yet; it would read as empty.
            var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, 100) > 0 else { continue }
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if errno != EINTR, errno != EAGAIN {
                throw refusal(errno)
            }
        }
        return bytes
    }

    private func refusal(_ number: Int32) -> Refusal {
        refusal(ErrorText.reason(of: posixError(path, number, writing: false)) ?? "it cannot be read")
    }

    private func refusal(_ reason: String) -> Refusal {
        Refusal("the \(kind) file \(ShownName.escaped(path.bytes))", reason)
    }
}
