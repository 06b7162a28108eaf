import FileProviding
import Foundation

/// What has to outlive an attempt at an upload in parts, in one private file: their state.
struct UploadJournal: Sendable {
    private struct Contents: Codable {
        var state: ResumableUpload.State?
        var acknowledged: Int64?
    }

    private let path: LocalPath

    init(_ path: LocalPath) { self.path = path }

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
