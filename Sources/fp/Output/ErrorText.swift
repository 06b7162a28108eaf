import FileProviders
import Foundation

/// One-line messages for errors: where, why, and what to do about it.
enum ErrorText {
    /// Returns `where: why; remedy`.
    ///
    /// - Parameter place: the location as it was written, or `nil` to use what the error says.
    static func line(_ error: any Error, at place: String? = nil) -> String {
        if let refusal = error as? Refusal { return joined(refusal.place, refusal.reason, refusal.remedy) }
        let (subject, reason) = parts(of: error)
        return joined(place ?? subject ?? "", reason, Remedy.remedy(for: error))
    }

    /// Returns the reason, without the location.
    static func reason(of error: any Error) -> String? {
        if let reason = (error as? CocoaError)?.userInfo[NSLocalizedFailureReasonErrorKey] as? String { return reason }
        return parts(of: error).reason
    }

    /// Returns whether nothing could even be tried: the location, the connection or the authentication failed, or the
    /// server is not available.
    static func isAboutAccess(_ error: any Error) -> Bool {
        if let refusal = error as? Refusal { return refusal.isAboutAccess }
        return error is URLError || error.httpStatus.map(HTTPStatus.isUnavailable) ?? false
    }

    private static func joined(_ place: String, _ reason: String, _ remedy: String?) -> String {
        // A remote's name already ends in a colon.
        let line = place.isEmpty ? reason : "\(place)\(place.hasSuffix(":") ? "" : ":") \(reason)"
        return remedy.map { "\(line); \($0)" } ?? line
    }

    /// Returns what the error is about, and the rest of its text.
    private static func parts(of error: any Error) -> (subject: String?, reason: String) {
        let subject: String? =
            switch error {
            case let error as CocoaError: error.userInfo[NSFilePathErrorKey] as? String
            case let error as URLError: (error.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString
            case let error as any FileProviderHTTPError: error.path
            default: nil
            }
        let text = ShownName.escaped(error.localizedDescription)
        guard let subject = subject.map({ ShownName.escaped($0) }), text.hasPrefix("\(subject): ") else {
            return (subject, text)
        }
        return (subject, String(text.dropFirst(subject.count + 2)))
    }
}
