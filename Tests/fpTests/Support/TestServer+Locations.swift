import Foundation
import TestSupport

extension TestServer {
    /// The folder's location for `fp`, ending in a slash.
    var location: String {
        url.absoluteString.replacing("https://", with: "davs://").replacing("http://", with: "dav://")
    }

    /// The servers that keep files, of those that were started.
    static let all = ["APACHE", "SABRE", "NGINX", "WSGIDAV", "RCLONE"].compactMap { TestServer($0) }

    /// The servers that speak as ownCloud, Nextcloud and OpenCloud do.
    static let clouds = ["OWNCLOUD", "NEXTCLOUD", "OPENCLOUD"].compactMap { TestServer($0) }
}
