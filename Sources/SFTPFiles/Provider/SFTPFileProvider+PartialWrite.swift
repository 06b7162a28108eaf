import FileProviding
import Foundation

extension SFTPFileProvider: FileProviderPartialWrite {
    /// Begins or continues a hidden file next to the final one, which outlives the program and the connection. It
    /// continues at the acknowledged bytes, not at the file's size, since concurrent writes may leave gaps before its
    /// end.
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
    /// The state kept between runs.
    struct Note: Codable {
        let path: ItemPath
        let length: Int64?
        let name: ItemName
        var acknowledged: Int64
    }

    /// The file while it is open on the server, over one connection.
    private struct Opened {
        let tree: RemoteTree
        let handle: [UInt8]
    }

    private let provider: SFTPFileProvider
    private let temporary: ItemPath
    private let note: Locked<Note>
    /// Kept from one step to the next: if round trips take many milliseconds, opening the file again is the most
    /// expensive part of a step.
    private let opened: Locked<Opened?>

    /// Begins a file.
    init(
        _ provider: SFTPFileProvider, _ path: ItemPath, _ length: Int64?, _ tree: RemoteTree,
        _ options: OperationOptions
    ) async throws {
        let name = TemporaryName.make()
        self.provider = provider
        temporary = (path.parent ?? .root).appending(name)
        note = Locked(Note(path: path, length: length, name: name, acknowledged: 0))
        do {
            opened = Locked(try await Self.begin(temporary, of: path, in: tree, options))
        } catch  where error.isNoSuchFile && options.createsParents {
            guard let parent = path.parent else { throw error }
            try await tree.createParents(parent)
            opened = Locked(try await Self.begin(temporary, of: path, in: tree, options))
        }
    }

    /// Opens the hidden file, and looks up what is at the final name at the same time.
    private static func begin(
        _ temporary: ItemPath, of path: ItemPath, in tree: RemoteTree, _ options: OperationOptions
    ) async throws -> Opened {
        let (place, hidden) = (try await tree.newPlace(path), try tree.bytes(temporary))
        // The final permissions of the complete file are not known before it is committed.
        let attributes = SFTPAttributes(permissions: options.attributes.permissions)
        let replies = try await tree.client.callAll([
            .open(hidden, [.write, .create, .exclusive], attributes), .lstat(place),
        ])
        var obstacle: CocoaError?
        if case .attributes(let present) = replies[1] {
            if present.type == .directory {
                obstacle = FileError.isADirectory(path, writing: true)
            } else if !options.overwrite {
                obstacle = FileError.exists(path)
            }
        }
        do {
            if let obstacle { throw obstacle }
            return try await about(path, writing: true) {
                let handle = try replies[0].handle()
                let present = (try? replies[1].attributes()).map { FileObject(path: path, $0) }
                if let permissions = tree.client.restriction(options, replacing: present) {
                    // Its owner has to be able to open it again.
                    try await tree.client.restrict(handle, at: hidden, to: permissions | 0o600)
                }
                return Opened(tree: tree, handle: handle)
            }
        } catch {
            if let handle = try? replies[0].handle() {
                await tidyingUp { _ = try? await tree.client.callAll([.close(handle), .remove(hidden)]) }
            }
            throw error
        }
    }

    deinit { close() }

    /// Continues a file; `nil` when it is another one's, no longer exists, may not be changed (ProFTPD without
    /// `AllowOverwrite`), or is emptied when it is opened. One that was to have another length begins at 0.
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
        do {
            let kept = isSame ? note.acknowledged : 0
            opened = Locked(try await Self.open(temporary, of: path, in: tree, keeping: kept))
        } catch  where (error as? CocoaError)?.code == .fileWriteNoPermission || error.isNoSuchFile {
            _ = try? await tree.client.call(.remove(tree.bytes(temporary)))
            return nil
        }
        self.note = Locked(
            Note(path: path, length: length, name: note.name, acknowledged: isSame ? note.acknowledged : 0))
    }

    var acknowledged: Int64 { note.withLock { $0.acknowledged } }

    // Encoding names, numbers and text cannot fail.
    func saveState() throws -> State { try JSONEncoder().encode(note.withLock { $0 }) }

    private var path: ItemPath { note.withLock { $0.path } }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        let file = try await open()
        let (tree, handle) = (file.tree, file.handle)
        let start = acknowledged
        do {
            let outcome = try await tree.client.write(
                bytes, to: handle, of: tree.bytes(temporary), at: start,
                trailing: context.options.flush && tree.client.traits.offers(.fsync) ? [.fsync(handle)] : [],
                onAcknowledged: { [note] count in
                    note.withLock { $0.acknowledged = max($0.acknowledged, start + count) }
                    context.progress.raise(to: start + count)
                })
            for reply in outcome.replies { try reply.confirm() }
            if let length = bytes.length, outcome.count != length {
                throw FileError.wrongLength(path, expected: length, got: outcome.count)
            }
            keep(file)
        } catch {
            tree.client.forget(.close(handle))
            throw await tree.explained(error, writing: path)
        }
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        let (path, length, total) = note.withLock { ($0.path, $0.length, $0.acknowledged) }
        if let length, length != total { throw FileError.wrongLength(path, expected: length, got: total) }
        let file = try await open()
        let (tree, options) = (file.tree, context.options)
        async let looking = tree.attributesIfPresent(path)
        var carried: SFTPAttributes
        do {
            carried = try await trimming(file, to: total)
            // The replaced file's permissions must be known first.
            let permissions =
                if let wanted = options.attributes.permissions { wanted } else { try await looking?.filePermissions }
            carried.add(permissions: permissions, modificationTime: options.attributes.modificationTime)
            try Task.checkCancellation()
        } catch {
            keep(file)
            throw error
        }
        let calls = tree.client.finishing(file.handle, carried, flush: options.flush)
        let written = try await about(path, writing: true) {
            let replies = try await tree.client.callAll(calls)
            return FileObject(
                path: path,
                try await tree.client.finished(replies, carried, length: total, at: tree.bytes(temporary)))
        }
        let present = try await looking
        if let expected = options.expecting {
            guard let present, expected.matches(present) else { throw FileError.changed(path) }
        }
        try await about(path, writing: true) {
            try await tree.publish(tree.bytes(temporary), tree.bytes(path), path, overwrite: options.overwrite)
        }
        return written
    }

    /// Returns the attributes that cut off bytes after the acknowledged ones, left by an interrupted attempt.
    ///
    /// A file that is too short has lost acknowledged bytes. It must not be extended, since zeros would replace them.
    private func trimming(_ file: Opened, to total: Int64) async throws -> SFTPAttributes {
        try await about(path, writing: true) {
            let client = file.tree.client
            let told = try? await client.call(.fstat(file.handle)).attributes()
            let found =
                if let told { told } else { try await client.call(.lstat(file.tree.bytes(temporary))).attributes() }
            var attributes = SFTPAttributes()
            guard found.flags.contains(.size), found.size != UInt64(total) else { return attributes }
            guard found.size > UInt64(total) else {
                throw cocoaError(
                    path, code: .fileWriteUnknown,
                    reason: "the server took \(total) bytes, but has kept only \(found.size) of them")
            }
            attributes.flags.insert(.size)
            attributes.size = UInt64(total)
            return attributes
        }
    }

    func abort() async throws {
        close()
        let tree = try await provider.tree()
        do {
            try await about(path, writing: true) { try await tree.client.confirm(.remove(tree.bytes(temporary))) }
        } catch  where error.isNoSuchFile {}
    }

    /// Returns the open file, which the caller has to keep or close; opens it if it is not open, or its connection was
    /// lost.
    private func open() async throws -> Opened {
        let tree = try await provider.tree()
        if let known = opened.withLock({ $0.take() }) {
            if known.tree.client.connection === tree.client.connection { return known }
            known.tree.client.forget(.close(known.handle))
        }
        return try await Self.open(temporary, of: path, in: tree, keeping: acknowledged)
    }

    /// Opens the file for writing further.
    ///
    /// - Throws: `.fileNoSuchFile` if the server has emptied it, as some do with each file that is opened for writing.
    private static func open(
        _ temporary: ItemPath, of path: ItemPath, in tree: RemoteTree, keeping acknowledged: Int64
    ) async throws -> Opened {
        try await about(path, writing: true) {
            let client = tree.client
            let file = Opened(tree: tree, handle: try await client.call(.open(tree.place(temporary), .write)).handle())
            // OpenSSH's server does as it is told.
            guard !client.traits.isSequential, acknowledged > 0,
                let told = try? await client.call(.fstat(file.handle)).attributes(), told.flags.contains(.size),
                told.size < UInt64(acknowledged)
            else { return file }
            client.forget(.close(file.handle))
            throw FileError.noSuchFile(temporary, writing: true)
        }
    }

    /// Keeps the open file for the next step.
    private func keep(_ file: Opened) {
        let other = opened.withLock { opened in
            defer { opened = file }
            return opened
        }
        if let other { other.tree.client.forget(.close(other.handle)) }
    }

    private func close() {
        guard let file = opened.withLock({ $0.take() }) else { return }
        file.tree.client.forget(.close(file.handle))
    }
}
