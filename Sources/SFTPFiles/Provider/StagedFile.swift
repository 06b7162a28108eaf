import FileProviding
import Foundation

/// A hidden file on the server, open for writing, that will take the name of the file that it becomes.
final class StagedFile: Sendable {
    let tree: RemoteTree
    let path: ItemPath
    let handle: [UInt8]
    private let place: [UInt8]
    private let temporary: [UInt8]
    private let replaced: FileObject?
    private let isClosed = Locked(false)

    /// A body larger than this is not sent before the name was looked at.
    private static let carelessLength: Int64 = 256 << 10

    /// Opens a new file beside `path`, and looks at what is there. A small file that is to replace nothing is spared
    /// the look where RENAME refuses a taken name.
    init(_ tree: RemoteTree, _ path: ItemPath, length: Int64?, _ options: OperationOptions) async throws {
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        guard !path.namesDirectory else { throw FileError.noSuchFile(path, writing: true) }
        self.tree = tree
        self.path = path
        place = try await tree.newPlace(path)
        temporary = try tree.bytes(parent.appending(TemporaryName.make()))
        let wanted = SFTPAttributes(permissions: options.attributes.permissions)
        let isCareless =
            !options.overwrite && options.expecting == nil && tree.client.traits.isSequential
            && length.map { $0 <= Self.carelessLength } ?? false
        let opening = SFTPCall.open(temporary, [.write, .create, .exclusive], wanted)
        let replies = try await tree.client.callAll(isCareless ? [opening] : [opening, .lstat(place)])
        handle = try await about(path, writing: true) { try replies[0].handle() }
        replaced = isCareless ? nil : (try? replies[1].attributes()).map { FileObject(path: path, $0) }
        do {
            try admit(replaced, options)
        } catch {
            await discard()
            throw error
        }
        // Nobody may read the new bytes who could not read the old ones.
        if options.attributes.permissions == nil, let permissions = replaced?.filePermissions {
            _ = try await tree.client.call(.fsetstat(handle, SFTPAttributes(permissions: permissions)))
        }
    }

    private func admit(_ present: FileObject?, _ options: OperationOptions) throws {
        if let expected = options.expecting {
            guard let present, expected.matches(present) else { throw FileError.changed(path) }
        }
        guard let present else { return }
        if present.isDirectory { throw FileError.isADirectory(path, writing: true) }
        if !options.overwrite { throw FileError.exists(path) }
    }

    /// Writes a stream, gives the file its attributes and puts it in its place.
    func receive(_ source: ByteStream, in context: OperationContext) async throws -> FileObject {
        let carried = carried(context.options.attributes)
        do {
            context.progress.setTotal(source.length)
            let outcome = try await tree.client.write(
                source, to: handle, of: temporary, at: 0,
                trailing: tree.client.finishing(handle, carried, flush: context.options.flush)
            ) { [isClosed] in
                isClosed.withLock { $0 = true }
            } onAcknowledged: {
                context.progress.raise(to: $0)
            }
            if let length = source.length, outcome.count != length {
                throw FileError.wrongLength(path, expected: length, got: outcome.count)
            }
            return try await publish(outcome.replies, carried, context.options)
        } catch {
            // Asked before the file goes and makes room.
            let explained = await tree.explained(error, writing: path)
            await discard()
            throw explained
        }
    }

    /// Gives the file its attributes and puts it in its place.
    func finish(_ attributes: ItemAttributes, _ options: OperationOptions) async throws -> FileObject {
        let carried = carried(attributes)
        do {
            let calls = tree.client.finishing(handle, carried, flush: options.flush)
            let replies = try await tree.client.callAll(calls) { isClosed.withLock { $0 = true } }
            return try await publish(replies, carried, options)
        } catch {
            // Asked before the file goes and makes room.
            let explained = await tree.explained(error, writing: path)
            await discard()
            throw explained
        }
    }

    private func carried(_ attributes: ItemAttributes) -> SFTPAttributes {
        SFTPAttributes(
            permissions: attributes.permissions ?? replaced?.filePermissions,
            modificationTime: attributes.modificationTime)
    }

    private func publish(
        _ replies: [SFTPReply], _ carried: SFTPAttributes, _ options: OperationOptions
    ) async throws -> FileObject {
        let attributes = try Finishing(replies, carried)
        try Task.checkCancellation()
        if options.expecting != nil { try admit(try await tree.attributesIfPresent(path), options) }
        try await tree.publish(temporary, place, path, overwrite: options.overwrite)
        return FileObject(path: path, attributes.attributes)
    }

    /// Closes and takes the file away, also when the task was cancelled meanwhile.
    func discard() async {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        let calls: [SFTPCall] = (wasClosed ? [] : [.close(handle)]) + [.remove(temporary)]
        let client = tree.client
        await Task { _ = try? await client.callAll(calls) }.value
    }
}

/// What the server says at the end of a file's writing.
struct Finishing {
    /// The file as it is now.
    let attributes: SFTPAttributes

    /// Throws the first refusal, but for one to set attributes: the bytes are worth keeping without, as long as they are no
    /// more and open to no more people than they were to be.
    ///
    /// - Parameter wanted: what was to be set.
    init(_ replies: [SFTPReply], _ wanted: SFTPAttributes) throws {
        var found = SFTPAttributes()
        for (index, reply) in replies.enumerated() {
            if case .attributes(let told) = reply {
                found = told
            } else if index > 0 || wanted.flags.isEmpty {
                try reply.confirm()
            }
        }
        if wanted.flags.contains(.size), found.size != wanted.size {
            try replies[0].confirm()
            throw SFTPStatus(rawCode: SFTPStatus.Code.failure.rawValue, message: "the file has another length")
        }
        if wanted.flags.contains(.permissions), found.mode & ~wanted.mode & 0o066 != 0 { try replies[0].confirm() }
        attributes = found
    }
}

extension SFTPClient {
    /// The requests that follow a file's last byte: attributes, flushing, a look, closing.
    func finishing(_ handle: [UInt8], _ attributes: SFTPAttributes, flush: Bool) -> [SFTPCall] {
        var calls: [SFTPCall] = []
        if !attributes.flags.isEmpty { calls.append(.fsetstat(handle, attributes)) }
        if flush, traits.offers(.fsync) { calls.append(.fsync(handle)) }
        return calls + [.fstat(handle), .close(handle)]
    }
}

extension FileObject {
    /// The permissions of a file that can be taken over by the one that replaces it; a link's mean nothing.
    var filePermissions: UInt16? { isRegularFile ? permissions : nil }
}
