import FileProviding
import Foundation

/// A mounted file system, as described by a line of `/proc/self/mountinfo` (proc(5)).
struct Mount {
    let id: UInt64
    let point: LocalPath
    let fileSystem: String

    /// Returns all current mounts, in the order of mounting.
    static func all() -> [Mount] {
        guard let file = try? LocalFileHandle(reading: LocalPath("/proc/self/mountinfo")),
            let text = try? file.read(at: 0, count: 4 << 20)
        else { return [] }
        return text.split(separator: UInt8(ascii: "\n")).compactMap { Mount(line: $0) }
    }

    init?(line: Data) {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard fields.count > 6, let id = UInt64(String(decoding: fields[0], as: UTF8.self)),
            let dash = fields.dropFirst(6).firstIndex(of: Data("-".utf8)), dash + 1 < fields.count
        else { return nil }
        self.id = id
        point = LocalPath(bytes: Self.unescaped(fields[4]))
        fileSystem = String(decoding: fields[dash + 1], as: UTF8.self)
    }

    /// Replaces escapes: blanks, tabs, newlines and backslashes are written as three octal digits.
    private static func unescaped(_ field: Data) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = field[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
