import FileProviding
import Foundation

/// What has to outlive an attempt at an upload, in one private file: the state of what was sent in parts, and which temporary
/// names may have been left.
struct UploadJournal: Sendable {
    private struct Contents: Codable {
        var key = UInt64.random(in: 0 ... .max)
        var names = 0
        var state: ResumableUpload.State?
        var acknowledged: Int64?
    }

    /// One attempt uses up to two names: for the bytes, and for their way into place.
    private static let namesPerAttempt = 2

    private let path: LocalPath

    init(_ path: LocalPath) { self.path = path }

    /// Notes that an attempt begins, and returns the names that earlier ones may have left; it goes on behind them.
    func beginAttempt() throws -> TemporaryName.Series {
        var contents = try read()
        let series = TemporaryName.Series(key: contents.key, used: contents.names)
        contents.names += Self.namesPerAttempt
        try write(contents)
        return series
    }

    /// The state that an earlier attempt left.
    func state() throws -> ResumableUpload.State? { try read().state }

    /// How many bytes the storage holds by that state.
    func acknowledged() throws -> Int64 { try read().acknowledged ?? 0 }

    /// Notes how far the upload is.
    func save(_ upload: any ResumableUpload) throws {
        var contents = try read()
        (contents.state, contents.acknowledged) = (upload.state, upload.acknowledged)
        try write(contents)
    }

    private func read() throws -> Contents {
        guard let data = try here({ try PrivateFile.read(path) }) else { return Contents() }
        // A journal that cannot be read is none: the upload begins anew.
        return (try? JSONDecoder().decode(Contents.self, from: data)) ?? Contents()
    }

    private func write(_ contents: Contents) throws {
        try here { try PrivateFile.replace(path, with: JSONEncoder().encode(contents)) }
    }
}
