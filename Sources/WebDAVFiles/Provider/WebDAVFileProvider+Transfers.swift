import FileProviding
import Foundation
import HTTPFiles

/// COPY and MOVE (RFC 4918, sections 9.8 and 9.9).
extension WebDAVFileProvider {
    /// Copies or moves an item.
    func transfer(
        _ source: ItemPath, to destination: ItemPath, isMove: Bool, _ context: OperationContext
    ) async throws {
        try await withParents(of: destination, from: source, in: context) {
            try await transferOnce(source, to: destination, isMove: isMove, context)
        }
    }

    private func transferOnce(
        _ source: ItemPath, to destination: ItemPath, isMove: Bool, _ context: OperationContext
    ) async throws {
        try checkEnds(source: source, destination: destination)
        if source.namesDirectory || destination.namesDirectory {
            guard try await attributesOfItem(path: source).isDirectory else { throw FileError.noSuchFile(destination) }
        }
        try await checkName(of: source)
        try await confirmExpected(destination.asItem, context.options)
        let family = try await family(near: destination)
        var replaces = false
        if context.options.overwrite {
            replaces = try await isReplaceable(source, destination)
        } else if !family.honorsOverwrite, try await itemIfPresent(destination) != nil {
            throw FileError.exists(destination)
        }
        try family.checkName(destination)
        try family.checkDestination(destination)
        try await NameTrial.run(for: destination, on: self)
        if !family.refusesMissingParents, let parent = destination.parent {
            guard try await attributesOfItem(path: parent).isDirectory else {
                throw FileError.notADirectory(parent, writing: true)
            }
        }
        let (origin, target) = (source.asItem, destination.asItem)
        if !isMove, replaces, !family.hasIdentities, try await copyBeside(origin, target, context) { return }
        do {
            try await send(origin, to: target, isMove: isMove, overwrite: replaces)
        } catch  where replaces {
            // Some servers have already removed the item to be replaced (mod_dav_svn).
            guard try await itemIfPresent(target) == nil, try await itemIfPresent(origin) != nil else { throw error }
            try await send(origin, to: target, isMove: isMove, overwrite: false)
        } catch  where error.isFileExists && context.options.overwrite {
            // The item appeared after the check.
            guard try await isReplaceable(origin, target) else { throw error }
            try await send(origin, to: target, isMove: isMove, overwrite: true)
        } catch  where !isMove && error.httpStatus.map({ $0 >= 500 }) ?? false {
            // Nothing was there before.
            try await shielded(limit: .seconds(60)) { await discardPart(target, of: origin) }
            throw error
        }
        if !family.provesSuccess {
            guard let made = try await itemIfPresent(target) else {
                throw cocoaError(
                    target, code: .fileWriteUnknown, reason: "the server reported success, but it is not there")
            }
            if !isMove {
                if made.isDirectory {
                    try await confirmMembers(of: target, copiedFrom: origin)
                } else {
                    try await confirmSize(of: made, copiedFrom: origin)
                }
            }
        }
        try await confirmName(target) {
            guard isMove else {
                await discard(target)
                return
            }
            _ = try await data(
                for: request(
                    for: .move(source: target, destination: source), overwrite: false, attributes: ItemAttributes()))
        }
    }

    /// Copies a file in the place of another one: under a temporary name, which is moved when the copy is complete.
    /// Many servers remove the old file before they begin to copy, and have half a file when their disk is full.
    ///
    /// - Returns: `false` if the server accepts no temporary names.
    private func copyBeside(
        _ source: ItemPath, _ target: ItemPath, _ context: OperationContext
    ) async throws -> Bool {
        guard let parent = target.parent, !server.withoutHiddenNames.contains(parent) else { return false }
        let temporary = parent.appending(TemporaryName.make())
        let staged: FileObject
        do {
            try await send(source, to: temporary, isMove: false, overwrite: false)
            staged = try await attributesOfItem(path: temporary)
            try await confirmSize(of: staged, copiedFrom: source)
        } catch {
            await discard(temporary)
            if await mayRefuseHiddenNames(in: parent, error) { return false }
            throw error
        }
        let move = MoveIntoPlace(
            provider: self, temporary: temporary, tag: staged.etag, size: staged.size, path: target, lock: nil,
            options: context.options)
        try await move.run(replacing: try await itemIfPresent(target))
        try await confirmName(target)
        return true
    }

    /// Removes what a COPY that failed has left of a file.
    private func discardPart(_ target: ItemPath, of source: ItemPath) async {
        guard let part = try? await itemIfPresent(target), part.isRegularFile, let size = part.size,
            let whole = try? await attributesOfItem(path: source).size, size < whole
        else { return }
        await discard(target, isOurs: true)
    }

    private func send(_ source: ItemPath, to target: ItemPath, isMove: Bool, overwrite: Bool) async throws {
        do {
            let response = try await sendMinding(source) { from in
                let to = from.namesDirectory ? target.asDirectory : target
                let operation: FileOperationType =
                    isMove ? .move(source: from, destination: to) : .copy(source: from, destination: to)
                return try request(for: operation, overwrite: overwrite, attributes: ItemAttributes())
            } for: { from in
                isMove ? .move(source: from, destination: target) : .copy(source: from, destination: target)
            }
            if !response.isTransferred { try await confirm(response, source, target, isMove: isMove) }
        } catch  where isMove && !overwrite && error.isAnswerMissing {
            guard await hasMoved(source, to: target) else { throw error }
        } catch  where !overwrite && Self.vagueRefusals.contains(error.httpStatus) {
            guard await isOccupied(target, by: source) else { throw error }
            throw FileError.exists(target)
        }
    }

    /// Checks a success that is none of RFC 4918's: the page of a proxy in between (200), or a promise (202).
    private func confirm(
        _ response: HTTPResponse, _ source: ItemPath, _ target: ItemPath, isMove: Bool
    ) async throws {
        let isDone: Bool
        if !isMove {
            isDone = try await itemIfPresent(target) != nil
        } else if response.status == 202 {
            isDone = try await isGoneSoon(source)
        } else {
            isDone = try await itemIfPresent(source) == nil
        }
        guard !isDone else { return }
        let word = isMove ? "moved" : "copied"
        throw cocoaError(
            target, code: .fileWriteUnknown, reason: "the server answered \(response.status), and has not \(word) it")
    }

    /// How servers refuse to put a file in a folder's place, or a folder in a file's.
    private static let vagueRefusals: Set<Int?> = [301, 302, 307, 308, 400, 405, 409]

    /// Returns whether there is something at the target, while the source is still where it was.
    private func isOccupied(_ target: ItemPath, by source: ItemPath) async -> Bool {
        do {
            guard try await itemIfPresent(target) != nil else { return false }
            return try await itemIfPresent(source) != nil
        } catch { return false }
    }

    /// Returns whether a move without a reply was carried out. If nothing is replaced, source and target show that.
    private func hasMoved(_ source: ItemPath, to target: ItemPath) async -> Bool {
        do {
            guard try await itemIfPresent(target) != nil else { return false }
            return try await itemIfPresent(source) == nil
        } catch { return false }
    }

    /// Checks a COPY by a server that is not known to be reliable: some copy a collection without its members.
    ///
    /// - Throws: `.featureUnsupported` in that case, after removing the empty collection.
    private func confirmMembers(of target: ItemPath, copiedFrom source: ItemPath) async throws {
        let wanted = Set(try await contentsOfDirectory(path: source.asDirectory).map(\.itemName))
        let present = Set(try await contentsOfDirectory(path: target.asDirectory).map(\.itemName))
        guard !wanted.isSubset(of: present) else { return }
        guard present.isEmpty else {
            throw cocoaError(target, code: .fileWriteUnknown, reason: "the server copied only a part of it")
        }
        await discard(target)
        throw FileError.unsupported(target, "the server copies folders without what is in them")
    }

    /// Checks a COPY of a file by a server that is not known to be reliable: it may have copied a part only (sabre/dav
    /// with a full disk).
    ///
    /// - Throws: "no space left" in that case, after removing the part.
    private func confirmSize(of copy: FileObject, copiedFrom source: ItemPath) async throws {
        guard let size = copy.size, let whole = try await attributesOfItem(path: source).size, size < whole else {
            return
        }
        await discard(copy.path, isOurs: true)
        throw cocoaError(
            copy.path, code: .fileWriteOutOfSpace,
            reason: "the server copied \(size) of \(whole) bytes; its disk may be full")
    }

    /// Checks the destination: with `Overwrite: T` a server replaces anything, even a whole tree with a file.
    ///
    /// - Returns: whether there is an item to replace.
    private func isReplaceable(_ source: ItemPath, _ destination: ItemPath) async throws -> Bool {
        guard let existing = try await itemIfPresent(destination) else { return false }
        let item = try await attributesOfItem(path: source)
        guard !existing.isDirectory, !item.isDirectory else {
            throw cocoaError(destination, code: .fileWriteFileExists, reason: "only a file can replace a file")
        }
        return true
    }

    /// Sends a request for an item that may be a collection: first without a trailing slash, which no server mistakes
    /// for another item, then with it if the server requires one.
    @discardableResult
    func sendMinding(
        _ path: ItemPath, _ make: (ItemPath) throws -> HTTPRequest, for operation: (ItemPath) -> FileOperationType
    ) async throws -> HTTPResponse {
        var (response, data) = try await self.data(for: make(path))
        if [301, 302, 307, 308, 400, 409].contains(response.status) {
            let other = try make(path.asDirectory)
            var isCollection = response.leads(to: other.url)
            if !isCollection { isCollection = (try? await attributesOfItem(path: path))?.isDirectory == true }
            if isCollection { (response, data) = try await self.data(for: other) }
        }
        guard response.isSuccess else {
            throw await fileError(for: response, data: data, operation: operation(path))
        }
        try throwPartialFailure(response, data, operation(path))
        return response
    }
}

extension HTTPResponse {
    /// Whether a reply to COPY or MOVE is one of the two successes of RFC 4918 (sections 9.8.5 and 9.9.4).
    var isTransferred: Bool { status == 201 || status == 204 }

    /// Whether the reply is a redirection to this path, as from a collection without its slash. A proxy may have a name
    /// of its own for the server.
    fileprivate func leads(to target: URL) -> Bool {
        guard [301, 308].contains(status), let location = headers["Location"] else { return false }
        return URL(string: location, relativeTo: url)?.path(percentEncoded: false) == target.path(percentEncoded: false)
    }
}
