import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider {
    /// Writes by one conditional PUT if the server's PUT is atomic, or the name allows nothing else; otherwise by PUT to
    /// a temporary name, then MOVE. A body that is longer than 1 MiB, and must not replace anything or only the expected
    /// version, takes the second way, or that of parts on ownCloud and Nextcloud: a PUT's condition is tested when it
    /// begins. OpenCloud tests it again at the end.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        try checkWritable(path)
        try Task.checkCancellation()
        let family = try await family(near: path)
        try family.checkName(path)
        let source = family.needsLength ? try await source.withLength() : source
        try await confirmExpected(path, context.options)
        if isLate(source, context.options), family.partialWrite == .chunks,
            let upload = try await beginParts(path, source, context)
        {
            return try await finish(upload, source, context)
        }
        return try await locking(path) { try await write(path, source, $0, family, context) }
    }

    /// Whether a PUT of this body may replace what another client writes meanwhile: servers evaluate its conditions
    /// when it begins, not when it ends.
    private func isLate(_ source: ByteStream, _ options: OperationOptions) -> Bool {
        options.expecting != nil && !isShort(source)
    }

    private func isShort(_ source: ByteStream) -> Bool {
        source.isImmediate && source.length.map { $0 <= 1 << 20 } ?? false
    }

    private func write(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ family: ServerFamily, _ context: OperationContext
    ) async throws -> FileObject {
        if family.putIsAtomic, isShort(source), context.options.overwrite || family.honorsIfNoneMatch {
            // Once sent, it cannot be taken back: a cancelled task waits for the reply, and reports what happened.
            return try await shielded { try await put(path, source, lock, family, context) }
        }
        if family.putIsAtomic, context.options.overwrite, family.hasIdentities || !isLate(source, context.options) {
            return try await put(path, source, lock, family, context)
        }
        if family.cuts(path), family.honorsIfNoneMatch, !context.options.overwrite {
            return try await putNew(path, source, lock, family, context)
        }
        if let folder = path.parent, server.withoutHiddenNames.contains(folder) {
            return try await writeUnstaged(path, source, lock, family, context)
        }
        let staged = StagedWrite(provider: self, path: path, source: source, lock: lock, family: family)
        do { return try await staged.run(context) } catch let refusal as StagedWrite.NameRefusal {
            // Many servers are configured to deny names that begin with a dot. If a PUT is atomic, the only difference
            // is that the check whether the name is free comes a moment early.
            guard source.isReplayable, let folder = path.parent else { throw refusal.cause }
            if family.putIsAtomic {
                _ = try await checkTarget(path, context.options)
                return try await put(path, source, lock, family, context)
            }
            guard try await takesPlainNames(in: folder) else { throw refusal.cause }
            server.withoutHiddenNames.note(folder)
            return try await writeUnstaged(path, source, lock, family, context)
        }
    }

    /// Begins an upload in parts; `nil` where there is none.
    private func beginParts(
        _ path: ItemPath, _ source: ByteStream, _ context: OperationContext
    ) async throws -> (any ResumableUpload)? {
        do {
            return try await beginPartialWrite(path: path, length: source.length, resuming: nil, in: context)
        } catch  where error.isUnsupported {
            return nil
        }
    }

    private func finish(
        _ upload: any ResumableUpload, _ source: ByteStream, _ context: OperationContext
    ) async throws -> FileObject {
        do {
            try await upload.append(source, in: context)
            return try await upload.commit(in: context)
        } catch {
            await tidyingUp { try? await upload.abort() }
            throw error
        }
    }

    private func put(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ family: ServerFamily, _ context: OperationContext
    ) async throws -> FileObject {
        var request = try request(
            for: .modify(path), overwrite: context.options.overwrite, attributes: context.options.attributes)
        request.expect(context.options.expecting, lock, from: family)
        try await addChecksum(of: source, to: &request)
        let isConditional = context.options.expecting != nil
        return try await withParents(of: path, isRepeatable: source.isReplayable, in: context) {
            do {
                let (response, _, size) = try await upload(source, with: request, for: .modify(path), in: context)
                return written(path, size, response, context.options.attributes)
            } catch  where isConditional && error.isRefusedCondition {
                throw FileError.changed(path)
            }
        }
    }

    /// Adds the hash of a short body, if the server accepts one and compares it with what arrived.
    func addChecksum(of source: ByteStream, to request: inout HTTPRequest) async throws {
        guard server.cloud?.family.takesChecksums == true, let sum = try await source.sha1(upTo: 16 << 20) else {
            return
        }
        request.headers["OC-Checksum"] = sum.description
    }

    /// Writes a new file under a name that can be written but not moved to. What a failed PUT left is removed again if
    /// it is known to be that. Somebody else's file may have taken the name in the meantime, and the reply that said so
    /// may have been lost.
    func putNew(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ family: ServerFamily, _ context: OperationContext
    ) async throws -> FileObject {
        do {
            return try await put(path, source, lock, family, context)
        } catch
            where !error.isFileExists && !error.isNoSuchFile && !error.isADirectory
            && (error as? CocoaError)?.code != .fileLocking
        {
            do {
                // Also for a cancelled task: nothing else knows of it.
                try await shielded(grace: .seconds(60), limit: .seconds(60)) {
                    try await discard(path, begunWith: source, after: error)
                }
            } catch is CancellationError {
                throw mayBeLeft(path, after: error)
            }
            throw error
        }
    }

    /// Removes part of a file that a failed PUT left under its name, in exactly that version.
    ///
    /// - Throws: if something stays that may be part of it.
    private func discard(_ path: ItemPath, begunWith source: ByteStream, after failure: any Error) async throws {
        let present: FileObject?
        do { present = try await itemIfPresent(path) } catch  where !(error is CancellationError) { return }
        guard let present else { return }
        guard source.isReplayable, let size = present.size, size > 0,
            let stored = try? await Checksum.of(read(path: path).bytes, .sha1),
            let sent = try? await Checksum.of(source.beginning(size), .sha1), sent == stored
        else {
            try Task.checkCancellation()
            throw mayBeLeft(path, after: failure)
        }
        try await perform(.remove(path), in: OperationContext(options: OperationOptions(expecting: present.version)))
    }

    private func mayBeLeft(_ path: ItemPath, after failure: any Error) -> CocoaError {
        cocoaError(
            path, code: .fileWriteUnknown,
            reason: "a part of it may be left on the server: \(failure.localizedDescription)", underlying: failure)
    }

    /// Returns what is known about a file that was just written.
    func written(
        _ path: ItemPath, _ size: Int64, _ response: HTTPResponse, _ attributes: ItemAttributes
    ) -> FileObject {
        var file = writtenItem(path: path, size: size, response: response, data: Data())
        if response.headers["X-OC-Mtime"]?.lowercased() == "accepted", let time = attributes.modificationTime {
            file.modificationTime = FileTime(seconds: time.seconds)
        }
        return file
    }

    /// Removes what was written, even when the task was cancelled in the meantime. A server that has not noticed yet
    /// that the upload broke off reports a temporary file as locked (rclone); a lock on any other name is somebody
    /// else's.
    ///
    /// - Parameter isOurs: whether nobody else gives this name; `nil` if the name tells.
    /// - Returns: whether it is gone, as far as the server reports.
    @discardableResult
    func discard(_ temporary: ItemPath, isOurs: Bool? = nil) async -> Bool {
        let session = session
        guard var removal = try? request(for: .remove(temporary), overwrite: false, attributes: ItemAttributes()) else {
            return false
        }
        let isOurs = isOurs ?? temporary.lastComponent.map(TemporaryName.isOurs) ?? false
        (removal.retriesWhenLocked, removal.isSafeToRepeat) = (isOurs, isOurs)
        let request = removal
        guard let response = try? await shielded(limit: .seconds(20), { try await session.data(for: request).0 })
        else { return false }
        return response.isSuccess || [404, 410].contains(response.status)
    }
}

extension Error {
    /// Whether a server refused because a condition of the request was not met: 412, with OpenCloud 409.
    fileprivate var isRefusedCondition: Bool { isFileExists || (self as? WebDAVError)?.statusCode == 409 }
}
