import FileProviding
import Foundation

extension RemoteTree {
    /// Sends MKDIR; an existing directory, or a link to one, is fine.
    func create(_ path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        guard !path.isRoot else { return try await attributes(path) }
        let plain = path.asItem
        do {
            return try await make(plain, options)
        } catch  where error.isNoSuchFile && options.createsParents {
            guard let parent = plain.parent, !parent.isRoot else { throw error }
            try await createParents(parent)
            return try await make(plain, options)
        }
    }

    /// Creates the directory that something is to be in, and those above it, as far as they are missing.
    func createParents(_ directory: ItemPath) async throws {
        do { _ = try await create(directory, OperationOptions(createsParents: true)) } catch  where error.isFileExists {
            throw FileError.notADirectory(directory, writing: true)
        }
    }

    private func make(_ path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        let place = try await newPlace(path)
        let wanted = SFTPAttributes(permissions: options.attributes.permissions)
        let made = try await client.call(.mkdir(place, wanted))
        guard case .status(let status) = made, status.code != .ok else { return try await dress(path, place, options) }
        // If the parent was missing, whatever is there by now belongs to another task, and the next attempt finds it.
        guard status.code != .noSuchFile else { throw sftpError(path, status, writing: true) }
        if let present = try? await client.call(.stat(place)).attributes() {
            guard present.type == .directory else { throw FileError.exists(path) }
            return FileObject(path: path, present)
        }
        if case .attributes? = try? await client.call(.lstat(place)) { throw FileError.exists(path) }
        throw sftpError(path, status, writing: true)
    }

    /// Sets a new directory's attributes exactly, whatever the server's umask is, if the server allows it. The usual
    /// permissions are not worth a request: MKDIR has asked for them.
    private func dress(_ path: ItemPath, _ place: [UInt8], _ options: OperationOptions) async throws -> FileObject {
        let permissions = options.attributes.permissions
        let carried = SFTPAttributes(
            permissions: permissions == 0o755 ? nil : permissions,
            modificationTime: options.attributes.modificationTime)
        guard !carried.flags.isEmpty else { return FileObject(path: path, type: .directory) }
        _ = try await client.call(.setstat(place, carried))
        return try await attributes(path)
    }

    func link(_ path: ItemPath, to target: LinkTarget, _ options: OperationOptions) async throws -> FileObject {
        guard !path.isRoot, !path.namesDirectory else { throw FileError.exists(path) }
        let place = try await newPlace(path)
        do {
            try await client.confirm(.symlink(place, target: target.bytes, linkOrder(beside: path)))
        } catch let status as SFTPStatus {
            if status.code == .noSuchFile, options.createsParents, let parent = path.parent, !parent.isRoot {
                try await createParents(parent)
                var once = options
                once.createsParents = false
                return try await link(path, to: target, once)
            }
            if case .attributes? = try? await client.call(.lstat(place)) { throw FileError.exists(path) }
            throw sftpError(path, status, writing: true)
        }
        try await confirmRelative(place, path, target)
        var link = FileObject(path: path, type: .symbolicLink)
        link.linkTarget = target
        return link
    }

    /// Removes a new link again whose relative target the server has made absolute (MySecureShell): it leads to another
    /// place, or to none.
    private func confirmRelative(_ place: [UInt8], _ path: ItemPath, _ target: LinkTarget) async throws {
        let slash = UInt8(ascii: "/")
        guard !client.traits.isSequential, target.bytes.first != slash,
            let made = try? await client.call(.readlink(place)).names().first?.name, made.first == slash
        else { return }
        _ = try? await client.call(.remove(place))
        throw FileError.unsupported(path, "this server changes where links lead")
    }

    /// Returns how the server interprets SYMLINK, on which the draft and OpenSSH disagree. On a server that does not
    /// report it, a link is created between two hidden names, in whichever direction, and removed again. A wrong guess
    /// would create links where targets are meant to be.
    private func linkOrder(beside path: ItemPath) async throws -> LinkOrder {
        if let known = client.traits.linkOrder ?? client.pool.knowledge.linkOrder { return known }
        let parent = path.parent ?? .root
        let (one, other) = (
            try await place(parent.appending(TemporaryName.random())),
            try await place(parent.appending(TemporaryName.random()))
        )
        let client = client
        // Even when the task is cancelled in the meantime: nothing may be left behind.
        let replies = try await Task {
            if case .status(let status) = try await client.call(.symlink(one, target: other)), status.code != .ok {
                guard try await client.takesFile(at: one) else { throw status }
                client.pool.knowledge.hasLinks = false
                throw FileError.unsupported(path, "this server makes no links")
            }
            // A server may process several requests at once, so nothing is removed before this was seen.
            let replies = try await client.callAll([.readlink(one), .readlink(other)])
            _ = try await client.callAll([.remove(one), .remove(other)])
            return replies
        }.value
        let order: LinkOrder
        switch (replies[0], replies[1]) {
        case (.names, _): order = .targetFirst
        case (_, .names): order = .linkFirst
        default:
            client.pool.knowledge.hasLinks = false
            throw FileError.unsupported(path, "this server makes links and does not show them")
        }
        client.pool.knowledge.linkOrder = order
        return order
    }

    /// Throws if a new item would be within a directory to which a link leads on its way.
    private func requireOutside(_ path: ItemPath, _ directory: [UInt8]) async throws {
        guard let own = try? await client.call(.realpath(directory)).names().first else { return }
        var parent = path.parent
        // The lowest folders may not exist yet.
        while let folder = parent {
            if let name = try? await client.call(.realpath(place(folder))).names().first {
                let (inner, outer) = (ItemPath(unchecked: name.name), ItemPath(unchecked: own.name))
                if inner.bytes == outer.bytes || inner.isInside(outer) { throw FileError.intoItself(path) }
                return
            }
            parent = folder.parent
        }
    }

    /// The two ends of a copy or move, looked up in one round trip.
    struct Ends {
        let from: [UInt8]
        let to: [UInt8]
        let item: FileObject
        /// Whether an existing file will be replaced.
        let replaces: Bool
    }

    /// Looks up both ends, and throws if something would be lost.
    func ends(_ source: ItemPath, _ path: ItemPath, _ options: OperationOptions) async throws -> Ends {
        for end in [source, path] where end.isRoot {
            throw FileError.isRoot(end)
        }
        if path == source { throw FileError.sameItem(path) }
        if path.isInside(source) { throw FileError.intoItself(path) }
        let (from, to) = (try await place(source), try await newPlace(path))
        let item = try await attributes(source)
        if item.isDirectory { try await requireOutside(path, from) }
        guard item.isDirectory || !path.namesDirectory else { throw FileError.noSuchFile(path, writing: true) }
        if options.createsParents, let parent = path.parent {
            try await createParents(parent)
        }
        guard let present = try await attributesIfPresent(path.asItem) else {
            if options.expecting != nil { throw FileError.noSuchFile(path, writing: true) }
            return Ends(from: from, to: to, item: item, replaces: false)
        }
        if let expected = options.expecting, !expected.matches(present) { throw FileError.changed(path) }
        guard options.overwrite else { throw FileError.exists(path) }
        guard !present.isDirectory, !item.isDirectory else {
            throw cocoaError(path, code: .fileWriteFileExists, reason: "only a file can replace a file")
        }
        return Ends(from: from, to: to, item: item, replaces: true)
    }
}

extension SFTPClient {
    /// Returns whether an empty file can be created at a place that is free, where it is removed again.
    fileprivate func takesFile(at place: [UInt8]) async throws -> Bool {
        let opening = SFTPCall.open(place, [.write, .create, .exclusive], SFTPAttributes())
        guard case .handle(let handle) = try await call(opening) else { return false }
        _ = try await callAll([.close(handle), .remove(place)])
        return true
    }
}
