import FileProviding
import Foundation

/// A hidden file on the server, open for writing, that will be renamed to its final name.
final class StagedFile: Sendable {
    let tree: RemoteTree
    let path: ItemPath
    let handle: [UInt8]
    private let place: [UInt8]
    private let temporary: [UInt8]
    private let replaced: FileObject?
    private let isClosed = Locked(false)

    /// The longest body that is sent before the name was looked up.
    private static let unverifiedLimit: Int64 = 256 << 10

    /// Opens a new file next to `path`, and looks up what is there. For a small file that is to replace nothing, the
    /// lookup is omitted if RENAME refuses a taken name.
    init(_ tree: RemoteTree, _ path: ItemPath, length: Int64?, _ options: OperationOptions) async throws {
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        guard !path.namesDirectory else { throw FileError.noSuchFile(path, writing: true) }
        self.tree = tree
        self.path = path
        place = try await tree.newPlace(path)
        temporary = try tree.bytes(parent.appending(TemporaryName.make()))
        let wanted = SFTPAttributes(permissions: options.attributes.permissions)
        let isUnverified =
            !options.overwrite && options.expecting == nil && tree.client.traits.isSequential
            && length.map { $0 <= Self.unverifiedLimit } ?? false
        let opening = SFTPCall.open(temporary, [.write, .create, .exclusive], wanted)
        let replies = try await tree.client.callAll(isUnverified ? [opening] : [opening, .lstat(place)])
        handle = try await about(path, writing: true) { try replies[0].handle() }
        replaced = isUnverified ? nil : (try? replies[1].attributes()).map { FileObject(path: path, $0) }
        do {
            try admit(replaced, options)
            if let permissions = tree.client.restriction(options, replacing: replaced) {
                try await tree.client.restrict(handle, at: temporary, to: permissions)
            }
        } catch {
            await discard()
            throw error
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

    /// Whether there is a file that it is to replace, and whose permissions it takes over.
    var replacesFile: Bool { replaced?.filePermissions != nil }

    /// Writes a stream, sets the file's attributes and gives it its final name.
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
            return try await publish(
                outcome.replies, carried, length: outcome.count, isSent: true, context.options)
        } catch {
            // Ask before the file is removed, which frees space.
            let explained = await tree.explained(error, writing: path)
            throw await discard(after: explained)
        }
    }

    /// Sets the file's attributes and gives it its final name.
    ///
    /// - Parameter length: the number of bytes that it must have, if that is to be checked.
    func finish(_ attributes: ItemAttributes, length: Int64?, _ options: OperationOptions) async throws -> FileObject {
        let carried = carried(attributes)
        do {
            let calls = tree.client.finishing(handle, carried, flush: options.flush)
            let replies = try await tree.client.callAll(calls) { isClosed.withLock { $0 = true } }
            return try await publish(replies, carried, length: length, options)
        } catch {
            // Ask before the file is removed, which frees space.
            let explained = await tree.explained(error, writing: path)
            throw await discard(after: explained)
        }
    }

    /// Finds out whether the server keeps the times that files are given (`ServerKnowledge.keepsTimes`), by this one.
    func tryTime() async throws {
        let wanted = SFTPAttributes(permissions: nil, modificationTime: FileTime(seconds: 1_000_000_000))
        let calls = tree.client.finishing(handle, wanted, flush: false)
        let replies = try await tree.client.callAll(calls) { isClosed.withLock { $0 = true } }
        _ = try await tree.client.finished(replies, wanted, at: temporary)
    }

    private func carried(_ attributes: ItemAttributes) -> SFTPAttributes {
        SFTPAttributes(
            permissions: attributes.permissions ?? replaced?.filePermissions,
            modificationTime: attributes.modificationTime)
    }

    private func publish(
        _ replies: [SFTPReply], _ carried: SFTPAttributes, length: Int64? = nil, isSent: Bool = false,
        _ options: OperationOptions
    ) async throws -> FileObject {
        let attributes = try await tree.client.finished(
            replies, carried, length: length, isSent: isSent, at: temporary)
        try requireAsPrivate(attributes, carried)
        try Task.checkCancellation()
        if options.expecting != nil { try admit(try await tree.attributesIfPresent(path), options) }
        try await tree.publish(temporary, place, path, overwrite: options.overwrite)
        return FileObject(path: path, attributes)
    }

    /// Throws if a file of others' eyes would take the place of one that is closed to them, whatever the server has
    /// answered when the permissions were set.
    private func requireAsPrivate(_ attributes: SFTPAttributes, _ carried: SFTPAttributes) throws {
        guard let old = replaced?.filePermissions, attributes.flags.contains(.permissions),
            carried.flags.contains(.permissions), attributes.mode & ~carried.mode & ~UInt32(old) & 0o066 != 0
        else { return }
        throw cocoaError(
            path, code: .fileWriteNoPermission,
            reason: "the server would open it to others, whom the file that it replaces is closed to")
    }

    /// Closes and removes the file, even if the task is cancelled meanwhile, and over a new connection if this one is
    /// lost. Returns whether the server reports it as gone.
    @discardableResult
    func discard() async -> Bool {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        let calls: [SFTPCall] = (wasClosed ? [] : [.close(handle)]) + [.remove(temporary)]
        let client = tree.client
        let reply = await Task { () -> SFTPReply? in
            if let reply = try? await client.callAll(calls).last { return reply }
            return try? await client.renewed().call(.remove(temporary))
        }.value
        guard case .status(let status)? = reply else { return true }
        return [.ok, .noSuchFile].contains(status.code)
    }

    /// Removes the file because of an error, and adds to the error where the file is left if it stays.
    private func discard(after error: any Error) async -> any Error {
        guard await !discard(), let name = temporary.split(separator: UInt8(ascii: "/")).last else { return error }
        return cocoaError(
            path, code: (error as? CocoaError)?.code ?? .fileWriteUnknown,
            reason:
                "\(error.localizedDescription); it is left as \(String(decoding: name, as: UTF8.self)) on the server",
            underlying: error)
    }
}

extension SFTPClient {
    /// Returns the permissions that a new file needs before its first byte, because it did not get them when it was
    /// opened: those of the file that it replaces and, where the server may disregard them in OPEN (Go), narrow ones
    /// that are wanted.
    func restriction(_ options: OperationOptions, replacing replaced: FileObject?) -> UInt16? {
        guard let wanted = options.attributes.permissions else { return replaced?.filePermissions }
        return wanted & 0o044 == 0o044 || traits.isSequential ? nil : wanted
    }

    /// Gives a new file its permissions: nobody may read its bytes who is not to read the file, or could not read the
    /// one that it is to replace.
    ///
    /// - Throws: the server's refusal, if more users could.
    func restrict(_ handle: [UInt8], at place: [UInt8], to permissions: UInt16) async throws {
        let wanted = SFTPAttributes(permissions: permissions)
        let reply = try await call(.fsetstat(handle, wanted))
        if isOK(reply) { return }
        if isOK(try await call(.setstat(place, wanted))) { return }
        let mode = try? await call(.fstat(handle)).attributes().mode
        if (mode ?? 0o777) & ~wanted.mode & 0o066 != 0 { try reply.confirm() }
    }

    /// Returns the requests that follow a file's last byte: setting attributes, flushing, reading the attributes,
    /// closing.
    func finishing(_ handle: [UInt8], _ attributes: SFTPAttributes, flush: Bool) -> [SFTPCall] {
        var calls: [SFTPCall] = []
        if !attributes.flags.isEmpty { calls.append(.fsetstat(handle, attributes)) }
        if flush, traits.offers(.fsync) { calls.append(.fsync(handle)) }
        return calls + [.fstat(handle), .close(handle)]
    }

    /// Returns the attributes of a written file: those that the server reports before it is closed or, if it cannot
    /// report them then (object stores), after that. What it does not report then either stays unknown.
    ///
    /// Throws the first refusal, except one to set attributes: the bytes are worth keeping without them, as long as the
    /// file is not longer and not accessible to more users than intended. Some servers set attributes only by the
    /// file's name (Twisted Conch).
    ///
    /// - Parameters:
    ///   - replies: the answers to ``finishing(_:_:flush:)``.
    ///   - wanted: the attributes that were to be set.
    ///   - length: the number of bytes that it must have, if that is to be checked.
    ///   - isSent: whether the server has acknowledged all of them, and need not tell a size.
    ///   - place: the file's path.
    func finished(
        _ replies: [SFTPReply], _ wanted: SFTPAttributes, length: Int64? = nil, isSent: Bool = false,
        at place: [UInt8]
    ) async throws -> SFTPAttributes {
        let beforeLast = replies.count - 2
        for (index, reply) in replies.enumerated() where index != beforeLast && (index > 0 || wanted.flags.isEmpty) {
            try reply.confirm()
        }
        var look = replies[beforeLast]
        var isRefused = false
        if !wanted.flags.isEmpty, case .status(let status) = replies[0], status.code != .ok {
            isRefused = try await !isOK(call(.setstat(place, wanted)))
            if !isRefused { look = try await call(.lstat(place)) }
        }
        if case .status = look { look = try await call(.lstat(place)) }
        var found = try? look.attributes()
        if let length, found?.size != UInt64(length), found?.size != nil || !isSent {
            // Before it is closed, some servers do not know; its name tells.
            if let closed = try? await call(.lstat(place)).attributes() { found = closed }
            if found?.size != UInt64(length) {
                if isRefused, wanted.flags.contains(.size) { try replies[0].confirm() }
                let message = "the file has \(found?.size ?? 0) bytes instead of \(length)"
                throw SFTPStatus(rawCode: SFTPStatus.Code.failure.rawValue, message: message)
            }
        }
        if isRefused, wanted.flags.contains(.permissions), (found?.mode ?? 0o777) & ~wanted.mode & 0o066 != 0 {
            try replies[0].confirm()
        }
        if wanted.flags.contains(.times) { noteTimes(wanted, isRefused ? nil : found ?? SFTPAttributes()) }
        return found ?? SFTPAttributes()
    }

    /// Learns from a file whether times are kept.
    ///
    /// - Parameter found: the file's attributes, or `nil` if the server has refused to set its time.
    private func noteTimes(_ wanted: SFTPAttributes, _ found: SFTPAttributes?) {
        guard let found, found.hasTime(of: wanted) else { return pool.knowledge.keepsTimes = false }
        // The time of writing is no proof.
        let age = abs(Date().timeIntervalSince1970 - Double(wanted.modified))
        if pool.knowledge.keepsTimes == nil, found.flags.contains(.times), age > 3600 {
            pool.knowledge.keepsTimes = true
        }
    }

    private func isOK(_ reply: SFTPReply) -> Bool {
        if case .status(let status) = reply { status.code == .ok } else { false }
    }
}

extension FileObject {
    /// The file's permissions, which a file that replaces it can adopt; those of a link have no meaning.
    var filePermissions: UInt16? { isRegularFile ? permissions : nil }
}
