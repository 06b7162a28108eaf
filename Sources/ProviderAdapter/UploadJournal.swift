import FileProviding
import Foundation

/// The state of an upload in parts that has to outlive an attempt, in one private file.
struct UploadJournal: Sendable {
    private struct Contents: Codable {
        var state: ResumableUpload.State?
        var acknowledged: Int64?
        /// The file that the state is about.
        var source: [UInt8]?
        /// The file's path on the server, and its length.
        var path: ItemPath?
        var length: Int64?
    }

    private let path: LocalPath

    init(_ path: LocalPath) { self.path = path }

    /// Returns the state that an earlier attempt to send this file left. A command's contents may have been replaced
    /// since.
    func state(of file: LocalPath) throws -> ResumableUpload.State? {
        let contents = try read()
        return contents.source == file.bytes ? contents.state : nil
    }

    /// Returns how many bytes the storage holds according to that state.
    func acknowledged() throws -> Int64 { try read().acknowledged ?? 0 }

    /// What identifies an unfinished upload; `nil` if there is none.
    var begun: (path: ItemPath, length: Int64?, state: ResumableUpload.State)? {
        get throws {
            let contents = try read()
            guard let state = contents.state, let path = contents.path else { return nil }
            return (path, contents.length, state)
        }
    }

    /// Removes what an unfinished upload has left on the storage, if that still has it.
    func discard(at provider: any FileProviderPartialWrite) async throws {
        guard let begun = try begun else { return }
        // Should this begin a new upload, it must not use up the names of the current attempt.
        try await TemporaryName.$series.withValue(nil) {
            let upload = try await provider.beginPartialWrite(
                path: begun.path, length: begun.length, resuming: begun.state,
                in: OperationContext(options: OperationOptions(overwrite: true)))
            try await upload.abort()
        }
    }

    /// Records how far the upload is. If its state cannot be saved, another run of the program cannot continue it.
    func save(_ upload: any ResumableUpload, of file: LocalPath, to path: ItemPath, length: Int64) throws {
        try write(
            Contents(
                state: try? upload.saveState(), acknowledged: upload.acknowledged, source: file.bytes, path: path,
                length: length))
    }

    /// Records that there is nothing to continue.
    func forget() throws { try write(Contents()) }

    private func read() throws -> Contents {
        guard let data = try asLocalFailure({ try PrivateFile.read(path) }) else { return Contents() }
        // A journal that cannot be read is treated as none: the upload starts over.
        return (try? JSONDecoder().decode(Contents.self, from: data)) ?? Contents()
    }

    private func write(_ contents: Contents) throws {
        try asLocalFailure { try PrivateFile.replace(path, with: JSONEncoder().encode(contents)) }
    }
}
