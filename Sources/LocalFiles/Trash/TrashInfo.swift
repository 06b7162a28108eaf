import FileProviding
import Foundation
import Glibc

/// The note that a trash keeps about an item (freedesktop.org trash specification 1.0, "The trash directories").
struct TrashInfo {
    static let suffix = Array(".trashinfo".utf8)

    /// Where the item was, relative to the top of the trash's file system, or to `/` in the home trash.
    var path: ItemPath
    var deletion: Date

    init(path: ItemPath, deletion: Date) {
        self.path = path
        self.deletion = deletion
    }

    init?(_ text: Data) {
        let lines = text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        guard lines.first == "[Trash Info]",
            let path = lines.first(where: { $0.hasPrefix("Path=") }).map({ $0.dropFirst(5) }),
            let date = lines.first(where: { $0.hasPrefix("DeletionDate=") }).map({ $0.dropFirst(13) }),
            let validated = try? ItemPath(percentEncoded: String(path)), let deletion = Self.date(date)
        else { return nil }
        self.init(path: validated, deletion: deletion)
    }

    /// Returns the file's text.
    ///
    /// - Parameter isAbsolute: whether the path is relative to `/`, as in the home trash.
    func text(isAbsolute: Bool) -> String {
        var moment = time_t(deletion.timeIntervalSince1970)
        var local = tm()
        localtime_r(&moment, &local)
        let date = String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
            local.tm_hour, local.tm_min, local.tm_sec)
        return "[Trash Info]\nPath=\(isAbsolute ? "/" : "")\(path.percentEncoded)\nDeletionDate=\(date)\n"
    }

    /// Parses a date in local time, as the specification requires.
    private static func date(_ text: Substring) -> Date? {
        let numbers = text.split { "-T:".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 6 else { return nil }
        var local = tm()
        local.tm_year = numbers[0] - 1900
        local.tm_mon = numbers[1] - 1
        local.tm_mday = numbers[2]
        local.tm_hour = numbers[3]
        local.tm_min = numbers[4]
        local.tm_sec = numbers[5]
        local.tm_isdst = -1
        return Date(timeIntervalSince1970: Double(mktime(&local)))
    }
}
