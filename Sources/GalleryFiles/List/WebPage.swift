import FileProviding
import Foundation
import HTTPFiles

/// A web page in place of a requested list or image: most often a login form, sent with status 200.
enum WebPage {
    /// Returns an error that says what to do about it.
    static func error(_ url: URL?) -> URLError {
        urlError(
            url, code: .cannotParseResponse,
            reason:
                "the server sent a web page, perhaps a login form: give a user and password or a token, or check the "
                + "gallery's address")
    }
}
