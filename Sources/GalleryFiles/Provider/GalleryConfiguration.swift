import FileProviding
import Foundation
import HTTPFiles

/// Everything needed to create a gallery provider except its secret.
public struct GalleryConfiguration: Codable, Hashable, Sendable, HTTPProviderConfiguration {
    /// The gallery's base, `http` or `https`, without user and password: `api/image/` and `file/` lie below it.
    public var url: URL
    /// The user, to distinguish accounts; the secret comes with the credential.
    public var user: String?
    /// The settings for reaching the server.
    public var http = HTTPSessionConfiguration()

    /// Creates a configuration for the gallery at `url`.
    public init(url: URL, user: String? = nil) {
        self.url = url
        self.user = user
    }
}
