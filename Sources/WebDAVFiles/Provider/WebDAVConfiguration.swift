import FileProviding
import Foundation
import HTTPFiles

/// Everything needed to create a WebDAV provider except its secret.
public struct WebDAVConfiguration: Codable, Hashable, Sendable, HTTPProviderConfiguration {
    /// The collection that is the provider's root, `http` or `https`, without user and password.
    public var url: URL
    /// The user, to distinguish accounts; the secret comes with the credential.
    public var user: String?
    /// Whether an existing file is locked (RFC 4918, section 6) while it is replaced.
    public var locksWrites = false
    /// The settings for reaching the server.
    public var http = HTTPSessionConfiguration()

    /// Creates a configuration of the collection at `url`.
    public init(url: URL, user: String? = nil) {
        self.url = url
        self.user = user
    }
}
