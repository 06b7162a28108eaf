import FileProviding
import Foundation
import HTTPFiles

/// Puts a complete temporary file under its final name.
///
/// Many servers remove the old file before they rename: when that went wrong half-way, the new file is put in place of the
/// old one that is gone, and if that fails too it stays under its temporary name, which the error tells.
///
/// A server may come to the MOVE of a program that was killed only after its next run has written the file again. So the
/// MOVE holds only for the file that was looked at, or for none; and only while the temporary file is there, since sabre/dav
/// removes what is to be replaced before it misses what was to be moved.
struct MoveIntoPlace {
    let provider: WebDAVFileProvider
    let temporary: ItemPath
    /// The temporary file's tag, where it is known.
    let tag: ETag?
    let path: ItemPath
    let lock: HeldLock?
    let options: OperationOptions

    /// How often others may come first where the last one wins.
    private static let patience = 8
    /// The pauses, in seconds, before a MOVE at which the server failed is tried again: the bytes are there, and not sent
    /// anew.
    private static let pauses: [TimeInterval] = [0.2, 1]

    private enum Outcome {
        case done
        /// Something else is to be replaced by now; `nil` for nothing.
        case again(FileObject?)
    }

    /// - Parameter former: what is to be replaced; `nil` when nothing is there, as far as is known.
    func run(replacing former: FileObject?) async throws {
        do {
            try await move(replacing: former)
        } catch {
            // Also when the task was cancelled meanwhile.
            try await Task { try await rescue(error, replacing: former) }.value
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
            do { return try await move(replacing: present) } catch { failure = error }
        }
    }

    private func move(replacing former: FileObject?) async throws {
        var request = try provider.request(
            for: .move(source: temporary, destination: path), overwrite: former != nil, attributes: ItemAttributes())
        let isConditional = try await provider.family(near: path).honoursTagConditions && former?.etag != nil
        request.require(isConditional ? former?.etag : nil, lock, at: provider.url(of: path))
        if isConditional { request.require(tag, at: provider.url(of: temporary)) }
        let (response, data) = try await provider.data(for: request)
        guard !response.isSuccess else {
            do { return try provider.throwPartialFailure(response, data, .modify(path)) } catch {
                guard try await isDoubled(former) else { throw error }
                await provider.discard(temporary)
                return
            }
        }
        // Whose password was good for the file itself may not move it: asking for another helps nobody.
        if response.status == 401, case .password? = provider.credential {
            throw refusal(.forbidden)
        }
        if response.knowsNoMove { throw refusal(.unknown(status: response.status)) }
        throw await provider.fileError(for: response, data: data, operation: .modify(path))
    }

    /// Whether a MOVE that was done in part has given the file its name, and has left it the other one too.
    private func isDoubled(_ former: FileObject?) async throws -> Bool {
        guard let staged = try await provider.itemIfPresent(temporary),
            let present = try await provider.itemIfPresent(path)
        else { return false }
        return present.size == staged.size && former.map { !$0.version.matches(present) } ?? true
    }

    private func refusal(_ refusal: MoveRefusal) -> CocoaError {
        provider.server.note(refusal)
        return refusal.error(path)
    }

    /// Refuses to send what the server would not give its name.
    static func check(_ path: ItemPath, on provider: WebDAVFileProvider) throws {
        if let refusal = provider.server.moveRefusal { throw refusal.error(path) }
    }

    /// After a MOVE that reported failure, or whose reply was lost: finds out what is where.
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
            // A name that is refused cannot be had either.
            throw staged != nil && !overwrite && error.isRefusal ? await discarded(failure) : stranded(failure)
        }
        // The reply was lost, the move was not; or the bytes are gone, and what was to be replaced is there still.
        guard staged != nil else {
            guard let present, latest.map({ !$0.version.matches(present) }) ?? true else { throw failure }
            return .done
        }
        if failure.isUnsupported, former == nil || present != nil { throw await discarded(failure) }
        guard let present else {
            guard !isLast, overwrite || isFault else {
                throw overwrite ? stranded(failure) : await discarded(failure)
            }
            return .again(nil)
        }
        if isRefused || isFault, overwrite, options.expecting == nil, !present.isDirectory, !isLast {
            return .again(present)
        }
        if isRefused, options.expecting != nil { throw await discarded(FileError.changed(path)) }
        // Of writers that race, some servers tell the late one only that something went wrong.
        throw await discarded(overwrite ? failure : FileError.exists(path))
    }

    /// Takes the new file away. The bytes were never the trouble: an error of the server's at the MOVE is one for good.
    private func discarded(_ failure: any Error) async -> any Error {
        guard await provider.discard(temporary) else {
            // Neither renamed nor removed: others would stay as well.
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
    /// Whether the server failed at a request that it did not refuse.
    fileprivate var isServerFault: Bool { [500, 502, 504].contains(httpStatus) }

    /// Whether the server refused a request.
    fileprivate var isRefusal: Bool { httpStatus.map { (400..<500).contains($0) } ?? false }
}

extension HTTPResponse {
    /// Whether the server has no such method at all (RFC 9110, sections 15.5.6 and 15.6.2).
    fileprivate var knowsNoMove: Bool {
        let methods = headers.values("Allow").joined(separator: ",").uppercased()
        return status == 501 || status == 405 && !methods.isEmpty && !methods.contains("MOVE")
    }
}
