import FileProviding
import FlyingFox
import Foundation

/// Unfinished uploads, by number; forgotten when the server ends.
actor ShelfUploads {
    typealias Query = HTTPRequest.QueryItem?

    private var uploads: [String: any ResumableUpload] = [:]
    private var busy: Set<String> = []

    /// Begins a file, and returns its number.
    func begin(_ path: ItemPath, length: Int64?, in files: any FileProvider) async throws -> [String: String] {
        guard let files = files as? any FileProviderPartialWrite else { throw CocoaError(.featureUnsupported) }
        // What may be replaced is specified and checked at the commit.
        let context = OperationContext(options: OperationOptions(overwrite: true))
        let number = UUID().uuidString
        uploads[number] = try await files.beginPartialWrite(path: path, length: length, resuming: nil, in: context)
        return ["upload": number]
    }

    /// Returns how many bytes have been received.
    func received(_ query: Query) throws -> [String: Int64] { ["received": try upload(query).acknowledged] }

    /// Appends the next bytes.
    func append(_ bytes: ByteStream, at offset: Int64?, to query: Query) async throws {
        try await use(query) { upload in
            guard offset == upload.acknowledged else { throw CocoaError(.fileWriteUnknown) }
            try await upload.append(bytes, in: OperationContext())
        }
    }

    /// Puts the file under its name.
    func commit(_ query: Query, _ options: OperationOptions) async throws -> FileObject {
        let file = try await use(query) { try await $0.commit(in: OperationContext(options: options)) }
        uploads[query?.value ?? ""] = nil
        return file
    }

    /// Removes what was received.
    func abort(_ query: Query) async throws {
        try await use(query) { try await $0.abort() }
        uploads[query?.value ?? ""] = nil
    }

    private func upload(_ query: Query) throws -> any ResumableUpload {
        guard let upload = uploads[query?.value ?? ""] else { throw CocoaError(.fileNoSuchFile) }
        return upload
    }

    /// Runs one request's work on an upload; a concurrent one is refused.
    private func use<Result: Sendable>(
        _ query: Query, _ work: @Sendable (any ResumableUpload) async throws -> Result
    ) async throws -> Result {
        let (upload, number) = (try upload(query), query?.value ?? "")
        guard busy.insert(number).inserted else { throw CocoaError(.fileLocking) }
        defer { busy.remove(number) }
        return try await work(upload)
    }
}
