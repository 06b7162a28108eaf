import FileProviding
import Foundation

/// What has to outlive an attempt at an upload in parts, in one private file: their state.
struct UploadJournal: Sendable {
    private struct Contents: Codable {
        var state: ResumableUpload.State?
        var acknowledged: Int64?
        /// Which file the state is about.
        var source: [UInt8]?
        /// What the file becomes, and how long it is.
        var path: ItemPath?
        var length: Int64?
    }

    private let path: LocalPath

    init(_ path: LocalPath) { self.path = path }

    /// The state that an earlier attempt to send this file left. A command may have got other contents since.
    func state(of file: LocalPath) throws -> ResumableUpload.State? {
        let contents = try read()
        return contents.source == file.bytes ? contents.state : nil
    }

    /// How many bytes the storage holds by that state.
    func acknowledged() throws -> Int64 { try read().acknowledged ?? 0 }

    /// What an upload that was not brought to its end is known by; `nil` where there is none.
    var begun: (path: ItemPath, length: Int64?, state: ResumableUpload.State)? {
        get throws {
            let contents = try read()
            guard let state = contents.state, let path = contents.path else { return nil }
            return (path, contents.length, state)
        }
    }

    /// Notes how far the upload is. One that cannot be kept is not continued by another run of the program.
    func save(_ upload: any ResumableUpload, of file: LocalPath, to path: ItemPath, length: Int64) throws {
        try write(
            Contents(
                state: try? upload.saveState(), acknowledged: upload.acknowledged, source: file.bytes, path: path,
                length: length))
    }

    /// Notes that there is nothing to continue.
    func forget() throws { try write(Contents()) }

    private func read() throws -> Contents {
        guard let data = try here({ try PrivateFile.read(path) }) else { return Contents() }
        // A journal that cannot be read is none: the upload begins anew.
        return (try? JSONDecoder().decode(Contents.self, from: data)) ?? Contents()
    }

    private func write(_ contents: Contents) throws {
        try here { try PrivateFile.replace(path, with: JSONEncoder().encode(contents)) }
    }
}
