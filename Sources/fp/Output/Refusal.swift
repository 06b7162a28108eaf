import FileProviders
import Foundation

/// A refusal by `fp` itself: where, why, and what the user can do.
///
/// It is a sentence for one line, not a kind of error that anyone would need to distinguish: for files there is
/// `CocoaError`, for the connection to a server `URLError`.
struct Refusal: Error {
    /// The location, already safe for a message; empty when it is about none.
    let place: String
    /// The reason.
    let reason: String
    /// What to do, or `nil` when that is obvious.
    let remedy: String?
    /// Whether the location could not be reached or parsed at all, so that nothing was tried.
    let isAboutAccess: Bool

    init(_ place: String, _ reason: String, remedy: String? = nil, isAboutAccess: Bool = true) {
        self.place = place
        self.reason = reason
        self.remedy = remedy
        self.isAboutAccess = isAboutAccess
    }

    /// Returns the refusal for an item whose parent folder is missing.
    ///
    /// - Parameter isInVault: whether the folder belongs in a vault, where only `fp vault mkdir` creates it.
    static func missingFolder(of place: String, isInVault: Bool = false) -> Refusal {
        Refusal(
            place, "the folder that it is to be in is not there",
            remedy: "`fp \(isInVault ? "vault " : "")mkdir -p` makes one", isAboutAccess: false)
    }

    /// Returns the refusal for a destination that is missing and has to be a folder.
    static func missingFolder(forSeveralSources place: String) -> Refusal {
        Refusal(
            place, "no such folder, and several sources need one", remedy: "`fp mkdir -p` makes one",
            isAboutAccess: false)
    }

    /// Returns the refusal for standard input that is to go into a folder.
    static func namelessStandardInput(_ place: String) -> Refusal {
        Refusal(
            place, "standard input has no name to go by into a folder", remedy: "write one behind it",
            isAboutAccess: false)
    }
}

extension Error {
    /// Whether the item does not exist, and nothing else is in its place.
    var isMissingFolder: Bool { isNoSuchFile && underlyingPOSIX != .ENOTDIR }
}
