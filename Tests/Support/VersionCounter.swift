import FileProviding
import Foundation
import Glibc

/// A storage that notes when a file is written with the bytes that it has already: a second version of one edit.
package struct VersionCounter: FileProvider, FileProviderPartialWrite {
    package static let type = "Counter"

    private let base: any FileProvider & FileProviderPartialWrite
    private let log: LocalPath
    private let stall: Stall?

    /// Where an upload in parts goes no further, and what is done then.
    package struct Stall: Sendable {
        let offset: Int64
        let reached: @Sendable () -> Void

        /// Creates a place where an upload stops for good.
        package init(at offset: Int64, reached: @escaping @Sendable () -> Void) {
            self.offset = offset
            self.reached = reached
        }
    }

    /// Creates a counter that adds the path of each second version to `log`.
    package init(_ base: any FileProvider & FileProviderPartialWrite, log: LocalPath, stall: Stall? = nil) {
        self.base = base
        self.log = log
        self.stall = stall
    }

    package var identity: ProviderIdentity { base.identity }
    package var context: FileProviderContext { base.context }
    package func copy() -> VersionCounter { VersionCounter(base.copy(), log: log, stall: stall) }
    package func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await base.attributesOfItem(path: path)
    }
    package func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }

    package func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    package func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await base.perform(operation, in: context)
    }

    package func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: path, range: range, in: context)
    }

    package func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        let old = try? await head(path)
        let new = try await source.first { _ in true }?.prefix(36)
        let file = try await base.write(path: path, from: source, in: context)
        if let old, old == new { try note(path) }
        return file
    }

    package func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        let upload = try await base.beginPartialWrite(path: path, length: length, resuming: state, in: context)
        return CountedUpload(base: upload, old: try? await head(path), stall: stall) { file in
            let new = try await head(file.path)
            return new
        } noting: {
            try note(path)
        }
    }

    /// What tells one edit from all others.
    private func head(_ path: ItemPath) async throws -> Data {
        try await base.read(path: path, range: .range(0..<36), in: OperationContext()).collect()
    }

    private func note(_ path: ItemPath) throws {
        let line = Array("\(path)\n".utf8)
        let descriptor = log.withCString { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}

/// An upload in parts that is compared with what was there.
private struct CountedUpload: ResumableUpload {
    let base: any ResumableUpload
    let old: Data?
    let stall: VersionCounter.Stall?
    let head: @Sendable (FileObject) async throws -> Data
    let note: @Sendable () throws -> Void

    init(
        base: any ResumableUpload, old: Data?, stall: VersionCounter.Stall?,
        head: @escaping @Sendable (FileObject) async throws -> Data,
        noting note: @escaping @Sendable () throws -> Void
    ) {
        self.base = base
        self.old = old
        self.stall = stall
        self.head = head
        self.note = note
    }

    func saveState() throws -> State { try base.saveState() }
    var acknowledged: Int64 { base.acknowledged }
    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        if let stall, acknowledged >= stall.offset {
            stall.reached()
            try await Task.sleep(for: .seconds(3_600))
        }
        try await base.append(bytes, in: context)
    }
    func abort() async throws { try await base.abort() }

    func commit(in context: OperationContext) async throws -> FileObject {
        let file = try await base.commit(in: context)
        if let old, try await head(file) == old { try note() }
        return file
    }
}
