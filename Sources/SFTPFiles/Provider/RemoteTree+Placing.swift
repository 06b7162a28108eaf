import FileProviding
import Foundation

extension RemoteTree {
    /// Gives a complete temporary file its final name, atomically if the server supports that.
    ///
    /// - Parameter isLink: whether it is a link; when adding a second name to a link, some servers add it to the target
    ///   instead.
    /// - Throws: `.fileWriteFileExists` or "is a directory" when something is in the way; the temporary file then
    ///   stays.
    func putInPlace(
        _ temporary: [UInt8], _ place: [UInt8], _ path: ItemPath, overwrite: Bool, isLink: Bool = false
    ) async throws {
        do {
            try await replacingLink(at: place, path, overwrite: overwrite) { isFree in
                if isFree || !overwrite {
                    try await putWhereNothingIs(temporary, place, isLink: isLink)
                } else if client.traits.offers(.posixRename) {
                    try await client.confirm(.posixRename(temporary, to: place))
                } else {
                    try await replaceByTurns(temporary, place, path)
                }
            }
        } catch let status as SFTPStatus {
            if let present = try? await client.call(.lstat(place)).attributes() {
                if present.type == .directory { throw FileError.isADirectory(path, writing: true) }
                if !overwrite { throw FileError.exists(path) }
            }
            throw sftpError(path, status, writing: true)
        }
    }

    /// Gives a file whose bytes are complete its final name, atomically if the server supports that.
    ///
    /// - Throws: as `putInPlace`; a lack of permission is reported as concerning the renaming, not the bytes.
    func publish(_ temporary: [UInt8], _ place: [UInt8], _ path: ItemPath, overwrite: Bool) async throws {
        do {
            try await putInPlace(temporary, place, path, overwrite: overwrite)
        } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            let words = error.userInfo[NSLocalizedFailureReasonErrorKey].map { ": \($0)" } ?? ""
            throw cocoaError(
                path, code: error.code, reason: "the file was sent, but could not be renamed\(words)",
                underlying: error.userInfo[NSUnderlyingErrorKey] as? any Error)
        }
    }

    /// Gives a file a name that must be free. OpenSSH's RENAME replaces nothing; that of others may, but a hard link
    /// never does. Some servers report success for hard links and create none (rclone), so nothing is removed before
    /// the new name was seen.
    private func putWhereNothingIs(_ temporary: [UInt8], _ place: [UInt8], isLink: Bool) async throws {
        guard !client.traits.isSequential else { return try await client.confirm(.rename(temporary, to: place)) }
        guard !isLink, client.traits.offers(.hardlink) else { return try await renameToFree(temporary, place) }
        if case .attributes = try await client.call(.lstat(place)) {
            throw SFTPStatus(rawCode: SFTPStatus.Code.alreadyExists.rawValue)
        }
        // Finish even when the task is cancelled in the meantime: half-way the file has two names.
        try await Task { try await putByLink(temporary, place) }.value
    }

    private func putByLink(_ temporary: [UInt8], _ place: [UInt8]) async throws {
        guard case .status(let status) = try await client.call(.hardlink(temporary, as: place)), status.code == .ok
        else { return try await renameToFree(temporary, place) }
        var client = client
        let hasName: Bool
        do {
            hasName = try await dropName(temporary, for: place, by: client)
        } catch  where !(error is SFTPStatus) {
            // The file has two names, as far as this connection got.
            client = try await client.renewed()
            hasName = try await dropName(temporary, for: place, by: client)
        }
        if !hasName { try await client.confirm(.rename(temporary, to: place)) }
    }

    /// Renames, where there is no better way, to a name that nobody has taken since it was looked up.
    private func renameToFree(_ temporary: [UInt8], _ place: [UInt8]) async throws {
        if case .attributes = try await client.call(.lstat(place)) {
            throw SFTPStatus(rawCode: SFTPStatus.Code.alreadyExists.rawValue)
        }
        try await client.confirm(.rename(temporary, to: place))
    }

    /// Removes one name of a file if its other name exists; returns whether it does.
    private func dropName(_ temporary: [UInt8], for place: [UInt8], by client: SFTPClient) async throws -> Bool {
        guard case .attributes = try await client.call(.lstat(place)) else { return false }
        do { try await client.confirm(.remove(temporary)) } catch let status as SFTPStatus {
            guard status.code == .noSuchFile else { throw status }
        }
        return true
    }

    /// How often a step is repeated if another writer of the same file interferes.
    private static let turns = 20

    /// Replaces a file without posix-rename: renames the old file out of the way, and back if the new file cannot take
    /// its place. In between, the name is free for a moment, and any other writer may take it.
    private func replaceByTurns(_ temporary: [UInt8], _ place: [UInt8], _ path: ItemPath) async throws {
        guard let parent = path.parent else { return }
        for _ in 0..<Self.turns {
            guard case .attributes(let present)? = try? await client.call(.lstat(place)) else {
                if try await takeFreeName(temporary, place) { return }
                continue
            }
            if present.type == .directory { throw FileError.isADirectory(path, writing: true) }
            // Not one of the job's own names, which are removed if it fails: this file is the old one.
            let aside = try bytes(parent.appending(TemporaryName.random()))
            try Task.checkCancellation()
            // Completed even if the task is cancelled in the meantime: half-way, no file has the name.
            let turn = Task { try await takeTurns(temporary, place, aside, path) }
            if try await turn.value { return }
        }
        throw FileError.changed(path)
    }

    /// Renames to a name that was free; returns `false` if it has been taken.
    private func takeFreeName(_ temporary: [UInt8], _ place: [UInt8]) async throws -> Bool {
        do { try await client.confirm(.rename(temporary, to: place)) } catch let status as SFTPStatus {
            guard case .attributes? = try? await client.call(.lstat(place)) else { throw status }
            return false
        }
        return true
    }

    /// Renames the old file out of the way, then the new one into place; returns `false` if the old file was gone.
    private func takeTurns(
        _ temporary: [UInt8], _ place: [UInt8], _ aside: [UInt8], _ path: ItemPath
    ) async throws -> Bool {
        var isAside = false
        do {
            try await client.confirm(.rename(place, to: aside))
            isAside = true
            try await client.confirm(.rename(temporary, to: place))
        } catch {
            if !isAside, (error as? SFTPStatus)?.code == .noSuchFile { return false }
            // If it was refused, the old file is where it was; if the connection was lost, that is unknown.
            if isAside || !(error is SFTPStatus) {
                try await takeBack(aside, isAside: isAside, place, path, after: error)
            }
            throw error
        }
        try await drop(aside, of: path, by: client)
        return true
    }

    /// Removes the old file that was set aside, over a new connection if this one is lost.
    ///
    /// - Parameter error: an earlier failure, for the error's text.
    /// - Throws: an error with the name under which the old file remains.
    private func drop(
        _ aside: [UInt8], of path: ItemPath, by client: SFTPClient, after error: (any Error)? = nil
    ) async throws {
        do {
            let reply: SFTPReply
            do {
                reply = try await client.call(.remove(aside))
            } catch {
                reply = try await client.renewed().call(.remove(aside))
            }
            // The first request may have been carried out although its reply was lost.
            if case .status(let status) = reply, status.code == .noSuchFile { return }
            try await about(path, writing: true) { try reply.confirm() }
        } catch let failure {
            let before = error?.localizedDescription ?? "the new file has taken its place"
            throw left(aside, of: path, "\(before), but the old file is", underlying: failure)
        }
    }

    /// Puts the old file back under its name, over a new connection if this one is lost.
    ///
    /// - Parameter isAside: whether it is known to have been set aside.
    /// - Throws: an error that says that another writer has taken the name, or where the old file was left.
    private func takeBack(
        _ aside: [UInt8], isAside: Bool, _ place: [UInt8], _ path: ItemPath, after error: any Error
    ) async throws {
        let client = (try? await client.renewed()) ?? client
        // Other writers may take the name and set its file aside at any time, so a single check is not enough.
        for _ in 0..<Self.turns {
            // Check first: the new file may be in place although the reply was lost, and some servers' RENAME replaces
            // files.
            let present = try? await client.call(.lstat(place))
            if case .status(let status)? = present, status.code == .noSuchFile {
                guard case .status(let back)? = try? await client.call(.rename(aside, to: place)) else { break }
                if back.code == .ok || back.code == .noSuchFile && !isAside { return }
                continue
            }
            guard case .attributes(let other)? = present else { break }
            if isAside, other.type != .directory {
                // Another writer has taken the name, or our own rename succeeded without a reply: the file set aside
                // has been replaced.
                let outcome: any Error = error is SFTPStatus ? FileError.changed(path) : error
                try await drop(aside, of: path, by: client, after: outcome)
                throw outcome
            }
            if !isAside, case .status(let status)? = try? await client.call(.lstat(aside)), status.code == .noSuchFile {
                return
            }
            break
        }
        throw left(aside, of: path, "the old file \(isAside ? "is" : "may be")", underlying: error)
    }

    /// Returns the error for an old file that remains under the name to which it was set aside.
    private func left(_ aside: [UInt8], of path: ItemPath, _ what: String, underlying error: any Error) -> CocoaError {
        let name = String(decoding: aside, as: UTF8.self)
        return cocoaError(
            path, code: .fileWriteUnknown, reason: "\(what) left as \(name) on the server", underlying: error)
    }
}
