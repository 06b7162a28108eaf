import FileProviding
import Foundation

/// The meaning of HTTP statuses for files (RFC 9110, section 15): which `CocoaError` or `URLError` a refusal is, unless
/// the provider's `fileError(for:data:operation:)` gives it another.
///
/// | status | error |
/// |---|---|
/// | 301, 302, 307, 308 that is not followed | `.fileWriteUnknown` or `.fileReadUnknown`, with the place |
/// | 401 | `URLError(.userAuthenticationRequired)` |
/// | 403 | no permission |
/// | 404, 410 | no such file |
/// | 405 | for contents: it is a directory, or no directory |
/// | 412 | for changes: it exists already |
/// | 413 | for changes: `.fileWriteUnknown`, since the request is too large |
/// | 423 | locked |
/// | 501 | not supported |
/// | 507 | for changes: no space left |
/// | others, such as 409 | the server's own error |
public enum HTTPStatusMeaning {
    /// Returns the error for an unsuccessful reply.
    ///
    /// A status without a meaning for files gives the server's own error; otherwise the server's error is the
    /// underlying one.
    public static func error(
        for response: HTTPResponse, operation: FileOperationType, server: any FileProviderHTTPError
    ) -> any Error {
        let writing = operation.changes
        guard response.status != 401 else {
            return urlError(response.url, code: .userAuthenticationRequired, underlying: server)
        }
        if response.status == 405, let wrongKind = operation.wrongKind { return wrongKind }
        if response.status == 413, writing {
            return cocoaError(
                operation.source, code: .fileWriteUnknown,
                reason: "the server, or a proxy before it, takes no request as large as this (413)", underlying: server)
        }
        let code: CocoaError.Code? =
            switch response.status {
            case 403: writing ? .fileWriteNoPermission : .fileReadNoPermission
            case 404, 410: writing ? .fileNoSuchFile : .fileReadNoSuchFile
            case 412: writing ? .fileWriteFileExists : nil
            case 507: writing ? .fileWriteOutOfSpace : nil
            case 423: .fileLocking
            case 501: .featureUnsupported
            default: nil
            }
        if [301, 302, 307, 308].contains(response.status), let place = response.headers["Location"] {
            let shown = URL(string: place, relativeTo: response.url).map(withoutSecrets)?.absoluteString ?? place
            return cocoaError(
                operation.source, code: writing ? .fileWriteUnknown : .fileReadUnknown,
                reason: "the server says that it is elsewhere (\(response.status)): \(shown)", underlying: server)
        }
        guard let code else { return server }
        return cocoaError(
            operation.subject(of: response.status), code: code, reason: server.serverDescription, underlying: server)
    }
}

extension FileOperationType {
    /// The meaning of a 405 for an item (RFC 9110, section 15.5.6): it is a file where a directory was needed, or the
    /// reverse. `nil` for other operations.
    fileprivate var wrongKind: CocoaError? {
        switch self {
        case .fetch(let path): path.namesDirectory ? FileError.notADirectory(path) : FileError.isADirectory(path)
        case .modify(let path): FileError.isADirectory(path, writing: true)
        default: nil
        }
    }

    /// Returns the item that a refusal is about. Conflicts with an existing item and lack of space concern the
    /// destination.
    fileprivate func subject(of status: Int) -> String {
        switch self {
        case .copy(_, let place), .move(_, let place): [412, 507].contains(status) ? place.description : source
        default: source
        }
    }

    /// Whether the operation changes the storage.
    var changes: Bool {
        switch self {
        case .fetch, .download: false
        case .create, .copy, .move, .remove, .link, .modify, .upload: true
        }
    }
}
