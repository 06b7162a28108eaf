import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider {
    /// Performs operations by MKCOL, DELETE, COPY and MOVE, and adds what RFC 4918 leaves to the client: types are
    /// compared before anything is replaced, collections get their trailing slash where a server insists on it, and
    /// partial failures name the member.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await prepare()
        switch operation {
        case .create(let path): try await create(path, context)
        case .remove(let path): try await remove(try await located(path), context.options)
        case .copy(let source, let destination):
            try await transfer(try await located(source), to: destination, isMove: false, context)
        case .move(let source, let destination):
            try await transfer(try await located(source), to: destination, isMove: true, context)
        case .link, .upload, .download, .modify, .fetch:
            return try await defaultPerform(operation, in: context)
        }
        return nil
    }

    private func create(_ path: ItemPath, _ context: OperationContext) async throws {
        guard !path.isRoot else { return }
        try await family(near: path).checkName(path, isDirectory: true)
        try await NameTrial.run(for: path, on: self)
        let request = try request(for: .create(path), overwrite: false, attributes: ItemAttributes())
        let (response, data) = try await session.data(for: request)
        if response.status == 201 { return try await confirmName(path) }
        // A parent is missing (RFC 4918, section 9.3.1).
        if response.status == 409, context.options.createsParents, let parent = path.parent, !parent.isRoot {
            return try await create(path, below: parent, context)
        }
        if let existing = try? await attributesOfItem(path: path.asItem) {
            if existing.isDirectory { return }
            throw FileError.exists(path)
        }
        if context.options.createsParents, let parent = path.parent, !parent.isRoot,
            [404, 500].contains(response.status)
        {
            return try await create(path, below: parent, context)
        }
        throw await fileError(for: response, data: data, operation: .create(path))
    }

    /// Creates a directory after its parents.
    private func create(_ path: ItemPath, below parent: ItemPath, _ context: OperationContext) async throws {
        do { try await create(parent, context) } catch  where error.isFileExists {
            throw FileError.notADirectory(parent, writing: true)
        }
        var once = context
        once.options.createsParents = false
        try await create(path, once)
    }

    private func remove(_ path: ItemPath, _ options: OperationOptions) async throws {
        guard !path.isRoot else { throw rootIsKept(path) }
        // Some servers remove a file under a path with a trailing slash; check first.
        if path.namesDirectory { _ = try await attributesOfItem(path: path) }
        try await checkName(of: path)
        let plain = path.asItem
        // What may not be removed must not be emptied either.
        _ = try urlOfMember(plain)
        if options.onlyIfEmpty { try await requireEmpty(plain) }
        let (version, family) = (options.expecting, try await family(near: plain))
        // If no condition can be sent along, a check just before has to do.
        if version?.etag == nil || !family.honorsTagConditions { try await confirmExpected(plain, options) }
        do {
            try await removeWhole(plain, expecting: version)
        } catch
            where version == nil && !options.onlyIfEmpty && server.cloud == nil && !error.isNoSuchFile
            && !endsAll(error) && !(error is URLError) && !isRefusal(ofItself: error)
        {
            guard let (member, reason) = try await removePieces(of: plain) else { return }
            guard member != plain else { throw error }
            throw cocoaError(
                member, code: .fileWriteNoPermission, reason: "it could not be removed, nor what holds it: \(reason)",
                underlying: error)
        }
    }

    /// Returns whether the refusal (401, 403) is about the item to be removed itself. Its members may be removable all
    /// the same, as in a Team folder on Nextcloud, and would be lost for nothing.
    private func isRefusal(ofItself error: any Error) -> Bool {
        if server.family?.blamesDirectories == true { return false }
        guard let error = error as? CocoaError else {
            return (error as? URLError)?.code == .userAuthenticationRequired
        }
        return error.code == .fileWriteNoPermission && error.userInfo[NSUnderlyingErrorKey] is WebDAVError
    }

    /// Sends one DELETE, and checks the result if the server's status cannot be trusted.
    ///
    /// - Parameter isConditional: whether a server that may or may not honor `If-Match` is sent it all the same.
    private func removeWhole(
        _ path: ItemPath, expecting version: FileVersion? = nil, isConditional: Bool = true
    ) async throws {
        let family = try await family(near: path)
        var isAccepted = false
        do {
            let response = try await sendMinding(path) { target in
                var request = try request(for: .remove(target), overwrite: false, attributes: ItemAttributes())
                if family.honorsTagConditions {
                    request.require(version?.etag, at: request.url)
                } else if let tag = version?.etag, !tag.isWeak, isConditional {
                    request.headers["If-Match"] = tag.rawValue
                }
                return request
            } for: {
                .remove($0)
            }
            isAccepted = response.status == 202
        } catch  where version != nil && error.isFileExists {
            guard !family.honorsTagConditions, isConditional else { throw FileError.changed(path) }
            // Some servers refuse any condition.
            try await confirmExpected(path, OperationOptions(expecting: version))
            return try await removeWhole(path, expecting: version, isConditional: false)
        }
        if isAccepted {
            guard try await isGoneSoon(path) else {
                // Not about a member, and nothing to be done piece by piece: the server is at it.
                throw urlError(
                    url(of: path), code: .timedOut, reason: "the server has accepted the removal, and is at it")
            }
        } else if !family.provesSuccess, try await itemIfPresent(path) != nil {
            throw cocoaError(
                path, code: .fileWriteNoPermission, reason: "the server reported success, but it is still there")
        }
    }

    /// Waits some seconds for what the server has accepted (202), to remove or to move an item.
    ///
    /// - Returns: whether the item is gone.
    func isGoneSoon(_ path: ItemPath) async throws -> Bool {
        var pauses: ArraySlice<TimeInterval> = [0.2, 0.4, 0.8, 1.6, 3]
        while try await itemIfPresent(path) != nil {
            guard let pause = pauses.popFirst() else { return false }
            try await session.pacer.sleep(pause)
        }
        return true
    }

    /// Removes member by member after a DELETE that failed, since servers stop at the first failure and few name the
    /// member.
    ///
    /// - Returns: the first item that stayed, and why; `nil` when everything is gone after all.
    /// - Throws: what is not about an item: cancellation, or that the server cannot be reached any more.
    private func removePieces(of path: ItemPath) async throws -> (ItemPath, String)? {
        var trouble: (ItemPath, String)?
        func note(_ error: any Error, about item: ItemPath) throws {
            if endsAll(error) { throw error }
            if !error.isNoSuchFile { trouble = trouble ?? (item, error.localizedDescription) }
        }
        var members: [FileObject] = []
        do { members = try await contentsOfDirectory(path: path) } catch { try note(error, about: path) }
        for member in members {
            do {
                try await removeWhole(member.path)
            } catch  where member.isDirectory && !isRefusal(ofItself: error) && !endsAll(error) {
                let deeper = try await removePieces(of: member.path)
                trouble = trouble ?? deeper
            } catch {
                try note(error, about: member.path)
            }
        }
        guard trouble == nil else { return trouble }
        do { try await removeWhole(path) } catch { try note(error, about: path) }
        return trouble
    }

    /// Returns whether an error is not about an item: nothing more is sent to a server that asks for a pause (429,
    /// 503).
    private func endsAll(_ error: any Error) -> Bool {
        if error.isCancellation { return true }
        if let error = error as? URLError { return error.code != .userAuthenticationRequired }
        return error.httpStatus.map { [429, 503].contains($0) } ?? false
    }

    /// Sends a request that may have a destination, in the form that has worked before; until one has, also in the
    /// others if the server mistakes the destination for another server's.
    func data(for request: HTTPRequest) async throws -> (HTTPResponse, Data) {
        guard let destination = request.headers["Destination"].flatMap(URL.init(string:)) else {
            return try await session.data(for: request)
        }
        if let form = server.destinationForm {
            return try await session.data(for: form.applied(to: request) ?? request)
        }
        let first = try await session.data(for: request)
        if first.0.isSuccess { server.destinationForm = .reached }
        guard [400, 403, 502].contains(first.0.status) else { return first }
        if first.0.status == 502, request.headers["Overwrite"] == "T" {
            guard try await arePresent([request.url, destination]) else { return first }
        }
        var refusal = first
        for form in DestinationForm.allCases where form != .reached {
            guard let other = form.applied(to: request) else { continue }
            let next = try await session.data(for: other)
            if next.0.isSuccess { server.destinationForm = form }
            if next.0.isSuccess || next.0.status == 412 { return next }
            // It may be refused for another reason; that the source is gone may mean that the first one was done.
            if refusal.0.status == 502, next.0.status != 404 { refusal = next }
        }
        return refusal
    }

    /// Returns whether a request's source and destination still exist. A gateway also answers 502 if it got no reply
    /// from the server, and a request that was carried out must not be repeated. With `Overwrite: F` a repetition does
    /// no harm.
    private func arePresent(_ items: [URL]) async throws -> Bool {
        for url in items {
            let look = metaRequest(url, DAVRequestBody.propfind([.resourceType]))
            guard try await session.data(for: look).0.status == 207 else { return false }
        }
        return true
    }

    /// Sends a COPY, MOVE or DELETE; partial success is a failure.
    @discardableResult
    func sendWhole(_ request: HTTPRequest, for operation: FileOperationType) async throws -> HTTPResponse {
        let (response, data) = try await send(request, for: operation)
        try throwPartialFailure(response, data, operation)
        return response
    }

    /// Throws for a 207 to COPY, MOVE or DELETE, which names the members that failed (RFC 4918, sections 9.6.1 and
    /// 9.8.5).
    func throwPartialFailure(_ response: HTTPResponse, _ data: Data, _ operation: FileOperationType) throws {
        guard response.status == 207 else { return }
        let failed = try Multistatus.decode(data, from: response).lazy.compactMap { member in
            member.failure.map { (member, $0) }
        }.first
        guard let (failed, status) = failed else { return }
        let member = String(decoding: failed.href, as: UTF8.self)
        let server = WebDAVError(status: status, path: member.removingPercentEncoding ?? member, data: nil)
        throw cocoaError(
            operation.source, code: .fileWriteUnknown, reason: "it was done in part only; \(server.description)",
            underlying: server)
    }
}
