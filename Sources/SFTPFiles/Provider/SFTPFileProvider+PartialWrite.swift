import FileProviding
import Foundation

extension SFTPFileProvider: FileProviderPartialWrite {
    /// The bytes go to a hidden file beside the final one, which outlives the program and the connection. What was
    /// acknowledged, not the file's size, says where to go on: writes under way at once may leave gaps behind it.
    public func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        guard !path.isRoot else { throw FileError.isADirectory(path, writing: true) }
        guard !path.namesDirectory else { throw FileError.noSuchFile(path, writing: true) }
        guard try await session.client().traits.isFileSystem else {
            throw FileError.unsupported(path, "this server does not promise to continue a file")
        }
        let tree = try await tree()
        if let length {
            context.progress.setTotal(length)
            tree.client.pool.prepare(for: length, tree.client.traits)
        }
        if let state, let note = try? JSONDecoder().decode(RemotePartialFile.Note.self, from: state),
            let resumed = try await RemotePartialFile(resuming: note, path, length, provider: self, tree)
        {
            return resumed
        }
        return try await RemotePartialFile(self, path, length, tree, context.options)
    }
}

/// A hidden file on the server that takes its bytes in parts.
final class RemotePartialFile: ResumableUpload {
    /// What is kept between runs.
    struct Note: Codable {
        let path: ItemPath
        let length: Int64?
        let name: ItemName
        var acknowledged: Int64
    }

    private let provider: SFTPFileProvider
    private let temporary: ItemPath
    private let note: Locked<Note>

    /// Begins a file.
    init(
        _ provider: SFTPFileProvider, _ path: ItemPath, _ length: Int64?, _ tree: RemoteTree,
        _ options: OperationOptions
    ) async throws {
        let name = TemporaryName.make()
        self.provider = provider
        temporary = (path.parent ?? .root).appending(name)
        note = Locked(Note(path: path, length: length, name: name, acknowledged: 0))
        let place = try await tree.newPlace(path)
        if let present = try? await tree.client.call(.lstat(place)).attributes() {
            if present.type == .directory { throw FileError.isADirectory(path, writing: true) }
            if !options.overwrite { throw FileError.exists(path) }
        }
        if options.createsParents, let parent = path.parent { _ = try await tree.create(parent, options) }
        // Whom the complete file will be open to is not known before it is committed.
        let opened = try await about(path, writing: true) {
            try await tree.client.call(
                .open(
                    tree.bytes(temporary), [.write, .create, .exclusive],
                    SFTPAttributes(permissions: options.attributes.permissions))
            ).handle()
        }
        tree.client.forget(.close(opened))
    }

    /// Goes on with a file; `nil` when it is another one's or not there any more. One that was to have another length begins
    /// at 0.
    init?(
        resuming note: Note, _ path: ItemPath, _ length: Int64?, provider: SFTPFileProvider, _ tree: RemoteTree
    ) async throws {
        guard note.path == path, TemporaryName.isOurs(note.name), note.acknowledged >= 0 else { return nil }
        self.provider = provider
        temporary = (path.parent ?? .root).appending(note.name)
        _ = try await tree.place(path)
        guard let present = try await tree.attributesIfPresent(temporary), present.isRegularFile,
            let size = present.size
        else { return nil }
        let isSame = note.length == length && size >= note.acknowledged
        self.note = Locked(
            Note(path: path, length: length, name: note.name, acknowledged: isSame ? note.acknowledged : 0))
    }

    var acknowledged: Int64 { note.withLock { $0.acknowledged } }

    // Encoding names, numbers and text cannot fail.
    var state: State { (try? JSONEncoder().encode(note.withLock { $0 })) ?? Data() }

    private var path: ItemPath { note.withLock { $0.path } }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        let (tree, handle) = try await open()
        let start = acknowledged
        let isClosed = Locked(false)
        defer { if !isClosed.withLock({ $0 }) { tree.client.forget(.close(handle)) } }
        do {
            let outcome = try await tree.client.write(
                bytes, to: handle, of: tree.bytes(temporary), at: start,
                trailing: trailing(tree, handle, context.options)
            ) {
                isClosed.withLock { $0 = true }
            } onAcknowledged: { [note] count in
                note.withLock { $0.acknowledged = max($0.acknowledged, start + count) }
                context.progress.raise(to: start + count)
            }
            for reply in outcome.replies { try reply.confirm() }
            if let length = bytes.length, outcome.count != length {
                throw FileError.wrongLength(path, expected: length, got: outcome.count)
            }
        } catch {
            throw await tree.explained(error, writing: path)
        }
    }

    private func trailing(_ tree: RemoteTree, _ handle: [UInt8], _ options: OperationOptions) -> [SFTPCall] {
        options.flush && tree.client.traits.offers(.fsync) ? [.fsync(handle), .close(handle)] : [.close(handle)]
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        let (path, length, total) = note.withLock { ($0.path, $0.length, $0.acknowledged) }
        if let length, length != total { throw FileError.wrongLength(path, expected: length, got: total) }
        let (tree, handle) = try await open()
        let options = context.options
        let present = try await tree.attributesIfPresent(path)
        var carried = SFTPAttributes(
            permissions: options.attributes.permissions ?? present?.filePermissions,
            modificationTime: options.attributes.modificationTime)
        // Bytes beyond the acknowledged ones are from an interrupted attempt.
        carried.flags.insert(.size)
        carried.size = UInt64(total)
        return try await about(path, writing: true) {
            let replies = try await tree.client.callAll(
                tree.client.finishing(handle, carried, flush: options.flush))
            let file = FileObject(path: path, try Finishing(replies, carried).attributes)
            if let expected = options.expecting {
                guard let present, expected.matches(present) else { throw FileError.changed(path) }
            }
            try await tree.putInPlace(tree.bytes(temporary), tree.bytes(path), path, overwrite: options.overwrite)
            return file
        }
    }

    func abort() async throws {
        let tree = try await provider.tree()
        try await about(path, writing: true) { try await tree.client.confirm(.remove(tree.bytes(temporary))) }
    }

    private func open() async throws -> (RemoteTree, [UInt8]) {
        let tree = try await provider.tree()
        let handle = try await about(path, writing: true) {
            try await tree.client.call(.open(tree.place(temporary), .write)).handle()
        }
        return (tree, handle)
    }
}
