import FileProviding
import Foundation

/// A reference to a person's account on a server: everything to reach it but the secret, which a `CredentialStore` keeps
/// under the bookmark's ``id``. Safe to store and to show.
public struct Bookmark: Hashable, Sendable, Codable, Identifiable {
    /// The permanent identifier: names the vault's folder and the secret.
    public let id: UUID
    /// The name for people.
    public var name: String
    /// Where the server is, without a user's name and password.
    public private(set) var url: URL
    /// The URL that was typed, before the server redirected.
    public private(set) var originalURL: URL?
    /// How the server knows the account, such as `basic`, `digest` or `bearer`, where that has been found out.
    public var authenticationMethod: String?
    /// The certificates that a person has trusted, by host and as SHA-256 of their DER form in hexadecimal digits.
    public var pinnedCertificates: [String: Set<String>]
    /// What an app wants to remember with the bookmark.
    public var userInfo: [String: String]

    /// A bookmark of a server.
    ///
    /// - Throws: `URLError(.badURL)` when the URL holds a password, which has no place in a bookmark.
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

    /// Takes the address that the server redirected to; the first one stays as ``originalURL``.
    ///
    /// - Throws: as ``init(id:name:url:originalURL:authenticationMethod:pinnedCertificates:userInfo:)``.
    public mutating func redirect(to url: URL) throws {
        let target = try Self.validated(url)
        originalURL = originalURL ?? self.url
        self.url = target
    }

    /// A bookmark of another tree of the same account, under an identifier of its own: known the same way, by the same
    /// trust. The account's secret is to be kept for it too.
    ///
    /// - Throws: `.featureUnsupported` for a space that the server gave no address; else as
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
    /// The secret of a bookmark's account, or `nil`.
    public func credential(for bookmark: Bookmark) throws -> Credential? { try credential(for: bookmark.id) }

    /// Keeps the secret of a bookmark's account; `nil` forgets it.
    public func setCredential(_ credential: Credential?, for bookmark: Bookmark) throws {
        try setCredential(credential, for: bookmark.id)
    }
}
