import FileProviderTesting
import FileProviding
import Foundation

/// A file as it is sent: its bytes or a range of them (RFC 9110, section 14), with tag and time.
struct ServedFile {
    private let file: LocalFileHandle
    private let status: stat
    private let type: String

    /// The regular file at `path`, or `nil`.
    init?(_ path: LocalPath) {
        guard let file = try? LocalFileHandle(reading: path) else { return nil }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        (self.file, self.status) = (file, status)
        let types = ["png": "image/png", "gif": "image/gif", "webp": "image/webp", "jpg": "image/jpeg"]
        type = types[path.description.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }

    func reply(to request: ScriptedRequest, sendsRanges: Bool) -> ScriptedResponder.Script {
        let size = Int64(status.st_size)
        var headers = [("Content-Type", type), ("ETag", tag), ("Last-Modified", modified)]
        guard sendsRanges, let text = request["Range"], let wanted = range(text, size) else {
            return .reply(200, headers: headers, data: bytes(0..<size))
        }
        guard !wanted.isEmpty else {
            return .reply(416, headers: headers + [("Content-Range", "bytes */\(size)")], data: Data())
        }
        headers.append(("Content-Range", "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(size)"))
        return .reply(206, headers: headers, data: bytes(wanted))
    }

    private var tag: String {
        "\"\(status.st_ino)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_size)\""
    }

    private var modified: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)))
    }

    private func bytes(_ range: Range<Int64>) -> Data {
        (try? file.read(at: range.lowerBound, count: range.count)) ?? Data()
    }

    /// `bytes=0-99`, `bytes=100-` or `bytes=-100` as a range of the file, empty where nothing can be sent.
    private func range(_ text: String, _ size: Int64) -> Range<Int64>? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        guard let first = Int64(ends[0]) else {
            return Int64(ends[1]).map { max(0, size - $0)..<size }
        }
        return first < size ? first..<min(size, (Int64(ends[1]) ?? size - 1) + 1) : 0..<0
    }
}
