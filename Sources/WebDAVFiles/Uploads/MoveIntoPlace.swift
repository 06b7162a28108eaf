import FileProviding
import Foundation
import HTTPFiles

/// Puts a complete temporary file under its final name.
///
/// Many servers remove the old file before they rename: if that fails half-way, the new file is put in place of the old
/// one that is gone, and if that fails too, it stays under its temporary name, which the error reports.
///
/// A server may process the MOVE of a program that was killed only after the program's next run has written the file
/// again. So the MOVE applies only to the file that was looked up, or to none; and only while the temporary file
/// exists, since sabre/dav removes the item to be replaced before it notices that the item to be moved is missing.
struct MoveIntoPlace {
    let provider: WebDAVFileProvider
    let temporary: ItemPath
    /// The temporary file's tag, if known.
    let tag: ETag?
    /// The temporary file's size, if known.
    let size: Int64?
    let path: ItemPath
    let lock: HeldLock?
    let options: OperationOptions

    /// The most times that another writer may come first if the last writer wins.
    private static let patience = 8
    /// The pauses, in seconds, before a MOVE at which the server failed is tried again: the bytes are there, and not
    /// sent anew.
    private static let pauses: [TimeInterval] = [0.2, 1]

    private enum Outcome {
        case done
        /// Another file is to be replaced by now; `nil` for none.
        case again(FileObject?)
    }

    /// - Parameter former: the file to be replaced; `nil` when nothing is there, as far as is known.
    func run(replacing former: FileObject?) async throws {
        do {
            try await move(replacing: former)
        } catch {
            try await shielded(grace: .seconds(10)) { try await rescue(error, replacing: former) }
        }
    }

    private func rescue(_ failure: any Error, replacing former: FileObject?) async throws {
        var (failure, latest, tries, pauses) = (failure, former, Self.patience, Self.pauses[...])
        while case .again(let present) = try await settle(
            failure, replacing: former, latest: latest, isLast: failure.isServerFault ? pauses.isEmpty : tries == 0)
        {
            latest = present
            if failure.isServerFault {
                try await provider.session.pacer.sleep(pauses.removeFirst())
            } else {
                tries -= 1
            }
            do { return try await move(replacing: present, again: true) } catch { failure = error }
        }
    }

    private func move(replacing former: FileObject?, again isAgain: Bool = false) async throws {
        var request = try provider.request(
            for: .move(source: temporary, destination: path), overwrite: former != nil, attributes: ItemAttributes())
        let isConditional = try await provider.family(near: path).honorsTagConditions && former?.etag != nil
        request.require(isConditional ? former?.etag : nil, lock, at: provider.url(of: path))
        if isConditional { request.require(tag, at: provider.url(of: temporary)) }
        let (response, data) = try await provider.data(for: request)
        guard !response.isSuccess else {
            do { try provider.throwPartialFailure(response, data, .modify(path)) } catch {
                guard try await isDoubled(former, error) else { throw error }
                await provider.discard(temporary)
                return
            }
            if isAgain || former != nil || !isPlain || !response.isTransferred {
                try await confirm(response, replacing: former)
            }
            return
        }
        // A password that was accepted for the file itself may not allow moving it: asking for another would not help.
        if response.status == 401, case .password? = provider.credential {
            throw refusal(.forbidden)
        }
        if response.knowsNoMove { throw refusal(.unknown(status: response.status)) }
        throw await provider.fileError(for: response, data: data, operation: .modify(path))
    }

    /// Returns whether a MOVE that was only partly carried out has created the file but not removed the temporary one:
    /// the failure is about the temporary file, and the target is new.
    private func isDoubled(_ former: FileObject?, _ failure: any Error) async throws -> Bool {
        let member = ((failure as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? WebDAVError)?.path
        guard let member, let name = temporary.lastComponent, member.hasSuffix("/\(name)"),
            let staged = try await provider.itemIfPresent(temporary)
        else { return false }
        return try await isCopied(staged, former)
    }

    /// Returns whether the target is new and has the size of the temporary file, which is still there.
    private func isCopied(_ staged: FileObject, _ former: FileObject?) async throws -> Bool {
        guard let present = try await provider.itemIfPresent(path) else { return false }
        return present.size != nil && present.size == staged.size && former.map { !$0.version.matches(present) } ?? true
    }

    /// The longest new file whose success is believed.
    private static let unverifiedLimit: Int64 = 1 << 20

    /// Whether the file is small and has a name that no file system refuses: a look at it would cost half as much again
    /// as sending it.
    private var isPlain: Bool {
        size.map { $0 <= Self.unverifiedLimit } ?? false && path.lastComponent?.isRefusedSomewhere == false
    }

    /// Checks a MOVE that reported success: sabre/dav does so too if the file system has refused the rename, and a page
    /// of a proxy in between as well.
    private func confirm(_ response: HTTPResponse, replacing former: FileObject?) async throws {
        if response.isTransferred, try await provider.family(near: path).provesSuccess { return }
        if response.status == 202, try await provider.isGoneSoon(temporary) { return }
        guard let staged = try await provider.itemIfPresent(temporary) else { return }
        guard try await isCopied(staged, former) else {
            throw cocoaError(
                path, code: .fileWriteUnknown, reason: "the server reported success, but did not move the new file")
        }
        await provider.discard(temporary)
    }

    private func refusal(_ refusal: MoveRefusal) -> CocoaError {
        provider.server.note(refusal)
        return refusal.error(path)
    }

    /// Throws for a file to which the server would refuse to give its final name.
    static func check(_ path: ItemPath, on provider: WebDAVFileProvider) throws {
        if let refusal = provider.server.moveRefusal { throw refusal.error(path) }
    }

    /// Finds out what is where after a MOVE that reported failure, or whose reply was lost.
    ///
    /// - Parameters:
    ///   - former: what was there before the first MOVE.
    ///   - latest: what was there before the last one.
    private func settle(
        _ failure: any Error, replacing former: FileObject?, latest: FileObject?, isLast: Bool
    ) async throws -> Outcome {
        let (overwrite, isRefused, isFault) = (options.overwrite, failure.isFileExists, failure.isServerFault)
        let staged: FileObject?
        do { staged = try await provider.itemIfPresent(temporary) } catch { throw stranded(failure) }
        let present: FileObject?
        do { present = try await provider.itemIfPresent(path) } catch {
            // A refused name cannot be claimed either.
            throw staged != nil && !overwrite && error.isRefusal ? await discarded(failure) : stranded(failure)
        }
        // Either the reply was lost but the move was done; or the bytes are gone, and the file to be replaced is still
        // there.
        guard staged != nil else {
            guard let present, latest.map({ !$0.version.matches(present) }) ?? true else { throw failure }
            return .done
        }
        if failure.isUnsupported, former == nil || present != nil { throw await discarded(failure) }
        let isLost = (failure as? URLError)?.code == .networkConnectionLost
        guard let present else {
            // Sabre/dav answers 404 where the file that a condition names is gone.
            if options.expecting != nil, isRefused || failure.isRefusal {
                throw await discarded(FileError.changed(path))
            }
            guard !isLast, overwrite || isFault || isLost else {
                throw overwrite ? stranded(failure) : await discarded(failure)
            }
            return .again(nil)
        }
        if isRefused || isFault, overwrite, options.expecting == nil, !present.isDirectory, !isLast {
            return .again(present)
        }
        if isRefused, options.expecting != nil { throw await discarded(FileError.changed(path)) }
        // When writers race, some servers tell the late one only that something went wrong.
        throw await discarded(overwrite ? failure : FileError.exists(path))
    }

    /// Removes the new file. The bytes were not the problem: a server error at the MOVE is permanent.
    private func discarded(_ failure: any Error) async -> any Error {
        guard await provider.discard(temporary) else {
            // Neither renamed nor removed: other temporary files would stay as well.
            let isForbidden = (failure as? CocoaError)?.code == .fileWriteNoPermission
            if isForbidden { provider.server.note(.forbidden) }
            return stranded(failure, code: isForbidden ? .fileWriteNoPermission : .fileWriteUnknown)
        }
        guard failure.isServerFault else { return failure }
        return cocoaError(
            path, code: .fileWriteUnknown, reason: "stored, but not given its name: \(failure.localizedDescription)")
    }

    private func stranded(_ failure: any Error, code: CocoaError.Code = .fileWriteUnknown) -> any Error {
        cocoaError(
            path, code: code,
            reason: "the new file may be left as \(temporary) on the server: \(failure.localizedDescription)",
            underlying: failure)
    }
}

extension Error {
    /// Whether the server failed while processing the request, rather than refusing it.
    fileprivate var isServerFault: Bool { [500, 502, 504].contains(httpStatus) }

    /// Whether the server refused a request.
    fileprivate var isRefusal: Bool { httpStatus.map { (400..<500).contains($0) } ?? false }
}

extension HTTPResponse {
    /// Whether the server does not support the method at all (RFC 9110, sections 15.5.6 and 15.6.2).
    fileprivate var knowsNoMove: Bool {
        let methods = headers.values("Allow").joined(separator: ",").uppercased()
        return status == 501 || status == 405 && !methods.isEmpty && !methods.contains("MOVE")
    }
}
