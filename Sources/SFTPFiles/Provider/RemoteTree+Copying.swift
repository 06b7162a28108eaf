import FileProviding
import Foundation

extension RemoteTree {
    /// The most bytes that a server copies in one request, during which it answers nothing else.
    private static let copyLength: Int64 = 64 << 20

    /// Fills a staged file with another file's bytes and attributes, and gives it its final name. A file that it
    /// replaces leaves it its permissions.
    func copyFile(
        _ source: ItemPath, _ item: FileObject, to staged: StagedFile, _ options: OperationOptions
    ) async throws -> FileObject {
        let length: Int64?
        do {
            length = try await copyBytes(source, item, to: staged.handle, about: staged.path)
        } catch {
            await staged.discard()
            throw error
        }
        let isKept = staged.replacesFile && !options.keepsOwner
        let permissions = isKept ? nil : options.permissions(ofCopyOf: item)
        let attributes = ItemAttributes(
            modificationTime: options.attributes.modificationTime ?? item.modificationTime,
            permissions: options.attributes.permissions ?? permissions)
        return try await staged.finish(attributes, length: length, options)
    }

    /// Copies a file's bytes into an open one.
    ///
    /// - Returns: the number of bytes that the copy must have, if the server made it: OpenSSH 9.2 reports success even
    ///   when the disk was full.
    func copyBytes(
        _ source: ItemPath, _ item: FileObject, to target: [UInt8], about path: ItemPath
    ) async throws -> Int64? {
        guard item.isRegularFile else {
            throw FileError.notAFile(source)
        }
        let handle = try await about(source) { try await client.call(.open(place(source), .read)).handle() }
        guard client.traits.offers(.copyData) else {
            try await stream(handle, source, to: target, about: path)
            return nil
        }
        defer { client.forget(.close(handle)) }
        do {
            let size = try Self.size(try await client.call(.fstat(handle)).attributes(), source)
            for offset in stride(from: 0, to: size, by: Int64.Stride(Self.copyLength)) {
                let count = min(Self.copyLength, size - offset)
                try await client.confirm(.copyData(handle, at: offset, count: count, to: target, at: offset))
            }
            return size
        } catch {
            throw await explained(error, writing: path)
        }
    }

    /// Downloads and uploads the bytes, if the server cannot copy them itself.
    private func stream(
        _ handle: [UInt8], _ source: ItemPath, to target: [UInt8], about path: ItemPath
    ) async throws {
        let (original, size): (SFTPAttributes, Int64)
        do {
            original = try await about(source) { try await client.call(.fstat(handle)).attributes() }
            size = try Self.size(original, source)
        } catch {
            // From here on, the stream closes the handle.
            client.forget(.close(handle))
            throw error
        }
        let bytes = client.stream(handle, 0..<size, of: original) { error in
            switch error {
            case let status as SFTPStatus: sftpError(source, status, writing: false)
            case is ChangedFile: FileError.changed(source)
            case let short as ShortFile: FileError.wrongLength(source, expected: short.expected, got: short.got)
            default: error
            }
        }
        let outcome: WriteTransfer.Outcome
        do {
            outcome = try await client.write(bytes, to: target, at: 0) { _ in }
        } catch {
            throw await explained(error, writing: path)
        }
        guard outcome.count == size else { throw FileError.wrongLength(source, expected: size, got: outcome.count) }
    }

    /// Returns the size of a file to copy. Without a size, there is no way to know when the copy is complete.
    private static func size(_ attributes: SFTPAttributes, _ source: ItemPath) throws -> Int64 {
        guard attributes.flags.contains(.size) else {
            throw cocoaError(source, code: .fileReadUnknown, reason: "the server does not tell its size")
        }
        return Int64(clamping: attributes.size)
    }

    /// Creates a link with the same target as another one.
    func copyLink(_ target: LinkTarget, to path: ItemPath, replacing: Bool) async throws -> FileObject {
        guard replacing, let parent = path.parent else { return try await link(path, to: target, OperationOptions()) }
        if client.traits.renamesTargets { return try await replaceByLink(to: target, path) }
        let temporary = parent.appending(TemporaryName.make())
        var made = try await link(temporary, to: target, OperationOptions())
        do {
            try await putInPlace(bytes(temporary), bytes(path), path, overwrite: true)
        } catch {
            let hidden = try bytes(temporary)
            await tidyingUp { [client] in _ = try? await client.call(.remove(hidden)) }
            throw error
        }
        made = made.relocated(to: path)
        return made
    }
}

extension OperationOptions {
    /// Returns the permissions of a new item that is made from another one: without set-user-ID, set-group-ID and
    /// sticky bits, which would be about another owner, and only of a moved one more than the umask allows.
    func permissions(ofCopyOf item: FileObject) -> UInt16? {
        item.permissions.map { $0 & 0o777 & ~(keepsOwner ? 0 : FileCreationMask.current) }
    }
}
