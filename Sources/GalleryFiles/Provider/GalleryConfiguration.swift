import FileProviding
import Foundation
import HTTPFiles

/// What makes a gallery provider but its secret.
public struct GalleryConfiguration: Codable, Hashable, Sendable, HTTPProviderConfiguration {
    /// The gallery's base, `http` or `https`, without user and password: `api/image/` and `file/` lie below it.
    public var url: URL
    /// Who is asking, for telling accounts apart; the secret comes with the credential.
    public var user: String?
    /// How the server is reached.
    public var http = HTTPSessionConfiguration()

    /// The gallery at `url`.
    public init(url: URL, user: String? = nil) {
        self.url = url
        self.user = user
    }
}
