import FileProviding
import Foundation
import HTTPFiles

/// A web page where a list or an image was asked for: most often a login form, sent with status 200.
enum WebPage {
    /// Whether the reply says that it is one.
    static func isAnnounced(by response: HTTPResponse) -> Bool {
        let type = response.headers["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
        return ["text/html", "application/xhtml+xml"].contains(type.filter { !$0.isWhitespace })
    }

    /// Says what to do about it.
    static func error(_ url: URL?) -> URLError {
        urlError(
            url, code: .cannotParseResponse,
            reason:
                "the server sent a web page, perhaps a login form: give a user and password or a token, or check the "
                + "gallery's address")
    }
}
