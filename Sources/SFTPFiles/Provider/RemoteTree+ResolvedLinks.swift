import FileProviding

/// Names on servers whose RENAME and hard links are about what a link leads to, and not about the link
/// (``ServerTraits/renamesTargets``): there, links are removed and made, and never renamed.
extension RemoteTree {
    /// Puts something at a place where a link may be. The link is removed first, and made again if that fails.
    ///
    /// - Parameter put: called with whether a link has made room.
    func replacingLink(
        at place: [UInt8], _ path: ItemPath, overwrite: Bool,
        _ put: @escaping @Sendable (_ isFree: Bool) async throws -> Void
    ) async throws {
        guard client.traits.renamesTargets, case .names(let names) = try await client.call(.readlink(place)),
            let target = names.first?.name
        else { return try await put(false) }
        guard overwrite else { throw SFTPStatus(rawCode: SFTPStatus.Code.alreadyExists.rawValue) }
        try Task.checkCancellation()
        // Finish even when the task is cancelled in the meantime: half-way, nothing has the name.
        try await Task {
            try await client.confirm(.remove(place))
            do { try await put(true) } catch {
                _ = try? await link(path, to: LinkTarget(bytes: target), OperationOptions())
                throw error
            }
        }.value
    }

    /// Makes a link in the place of a file or of another link.
    func replaceByLink(to target: LinkTarget, _ path: ItemPath) async throws -> FileObject {
        let place = try bytes(path)
        let aside = try path.parent.map { try bytes($0.appending(TemporaryName.random())) }
        do {
            try await replacingLink(at: place, path, overwrite: true) { isFree in
                guard !isFree, let aside else {
                    _ = try await link(path, to: target, OperationOptions())
                    return
                }
                try await client.confirm(.rename(place, to: aside))
                do { _ = try await link(path, to: target, OperationOptions()) } catch {
                    try await client.confirm(.rename(aside, to: place))
                    throw error
                }
                _ = try? await client.call(.remove(aside))
            }
        } catch let status as SFTPStatus { throw sftpError(path, status, writing: true) }
        return try await attributes(path)
    }
}
