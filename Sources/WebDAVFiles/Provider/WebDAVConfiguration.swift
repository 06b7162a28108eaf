import FileProviding
import Foundation
import HTTPFiles

/// What makes a WebDAV provider but its secret.
public struct WebDAVConfiguration: Codable, Hashable, Sendable, HTTPProviderConfiguration {
    /// The collection that is the provider's root, `http` or `https`, without user and password.
    public var url: URL
    /// Who is asking, for telling accounts apart; the secret comes with the credential.
    public var user: String?
    /// Whether an existing file is locked (RFC 4918, section 6) while it is replaced.
    public var locksWrites = false
    /// How the server is reached.
    public var http = HTTPSessionConfiguration()

    /// A provider of the collection at `url`.
    public init(url: URL, user: String? = nil) {
        self.url = url
        self.user = user
    }
}
