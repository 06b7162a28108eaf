import FileProviding
import Foundation

/// A reference to a user's account on a server: everything needed to reach it except the secret, which a
/// `CredentialStore` keeps under the bookmark's ``id``. Safe to store and to display.
public struct Bookmark: Hashable, Sendable, Codable, Identifiable {
    /// The permanent identifier, which names the vault's folder and the secret.
    public let id: UUID
    /// The display name.
    public var name: String
    /// The server's URL, without a password.
    public private(set) var url: URL
    /// The URL that was entered, before the server redirected.
    public private(set) var originalURL: URL?
    /// The authentication method, such as `basic`, `digest` or `bearer`, if it is known.
    public var authenticationMethod: String?
    /// The certificates that a user has trusted, by host, as the SHA-256 of their DER form in hexadecimal digits.
    public var pinnedCertificates: [String: Set<String>]
    /// Information that an app stores with the bookmark.
    public var userInfo: [String: String]

    /// Creates a bookmark of a server.
    ///
    /// - Throws: `URLError(.badURL)` when the URL holds a password, which must not be in a bookmark.
    public init(
        id: UUID = UUID(), name: String, url: URL, originalURL: URL? = nil, authenticationMethod: String? = nil,
        pinnedCertificates: [String: Set<String>] = [:], userInfo: [String: String] = [:]
    ) throws {
        self.id = id
        self.name = name
        self.url = try Self.validated(url)
        self.originalURL = try originalURL.map(Self.validated)
        self.authenticationMethod = authenticationMethod
        self.pinnedCertificates = pinnedCertificates
        self.userInfo = userInfo
    }

    /// Decodes a bookmark.
    ///
    /// - Throws: a decoding error, or an error of
    ///   ``init(id:name:url:originalURL:authenticationMethod:pinnedCertificates:userInfo:)``.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(UUID.self, forKey: .id), name: values.decode(String.self, forKey: .name),
            url: values.decode(URL.self, forKey: .url),
            originalURL: values.decodeIfPresent(URL.self, forKey: .originalURL),
            authenticationMethod: values.decodeIfPresent(String.self, forKey: .authenticationMethod),
            pinnedCertificates: values.decode([String: Set<String>].self, forKey: .pinnedCertificates),
            userInfo: values.decode([String: String].self, forKey: .userInfo))
    }

    /// Replaces the URL by the one that the server redirected to; the first URL stays as ``originalURL``.
    ///
    /// - Throws: as ``init(id:name:url:originalURL:authenticationMethod:pinnedCertificates:userInfo:)``.
    public mutating func redirect(to url: URL) throws {
        let target = try Self.validated(url)
        originalURL = originalURL ?? self.url
        self.url = target
    }

    /// Returns a bookmark of another tree of the same account, with an identifier of its own and the same
    /// authentication method and trusted certificates. The account's secret has to be stored for it too.
    ///
    /// - Throws: `.featureUnsupported` for a space that has no URL; otherwise as
    ///   ``init(id:name:url:originalURL:authenticationMethod:pinnedCertificates:userInfo:)``.
    public func bookmark(of space: StorageSpace) throws -> Bookmark {
        guard let url = space.url else { throw FileError.unsupported(space.name, "the space has no address") }
        return try Bookmark(
            name: space.name, url: url, authenticationMethod: authenticationMethod,
            pinnedCertificates: pinnedCertificates)
    }

    private static func validated(_ url: URL) throws -> URL {
        guard url.password(percentEncoded: true) == nil else {
            throw urlError(url, code: .badURL, reason: "a bookmark's URL holds no password")
        }
        return url
    }
}

extension CredentialStore {
    /// Returns the secret of a bookmark's account, or `nil`.
    public func credential(for bookmark: Bookmark) throws -> Credential? { try credential(for: bookmark.id) }

    /// Stores the secret of a bookmark's account; `nil` deletes it.
    public func setCredential(_ credential: Credential?, for bookmark: Bookmark) throws {
        try setCredential(credential, for: bookmark.id)
    }
}
