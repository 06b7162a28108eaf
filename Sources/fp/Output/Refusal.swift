import FileProviders
import Foundation

/// Something that `fp` itself refuses: where, why, and what the person can do.
///
/// A sentence for one line, not a kind of error that anyone would tell apart: files have `CocoaError`, the way to a server
/// has `URLError`.
struct Refusal: Error {
    /// The location, already fit for a message; empty when it is about none.
    let place: String
    /// Why.
    let reason: String
    /// What to do, or `nil` when that is obvious.
    let remedy: String?
    /// Whether the place could not be reached or understood at all, so that nothing was tried.
    let isAboutAccess: Bool

    init(_ place: String, _ reason: String, remedy: String? = nil, isAboutAccess: Bool = true) {
        self.place = place
        self.reason = reason
        self.remedy = remedy
        self.isAboutAccess = isAboutAccess
    }

    /// Of an item that has no folder to be in.
    static func missingFolder(of place: String) -> Refusal {
        Refusal(
            place, "the folder that it is to be in is not there", remedy: "`fp mkdir -p` makes one",
            isAboutAccess: false)
    }
}

extension Error {
    /// Whether something is not there, and nothing else in its place.
    var isMissingFolder: Bool {
        let cause = (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError
        return isNoSuchFile && cause?.code != .ENOTDIR
    }
}
