import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider {
    /// Determines whether a URL without a path is a cloud's: if so, the account's files are the root.
    public func prepare() async throws {
        if server.mayHideHome { _ = try await cloud() }
    }

    /// The cloud server, or `nil` for plain WebDAV; found out once, and only where the URL gives reason to ask.
    func cloud() async throws -> CloudServer? {
        guard server.mayBeCloud else { return nil }
        return try await server.detection.value { try await detectCloud() }
    }

    /// Returns the cloud server, for features that only clouds have.
    ///
    /// - Throws: `.featureUnsupported` for plain WebDAV and for a cloud that lacks the feature.
    func cloud(
        _ path: ItemPath, _ feature: String, where has: (CloudCapabilities) -> Bool = { _ in true }
    ) async throws -> CloudServer {
        guard let cloud = try await cloud(), has(cloud.capabilities) else {
            throw FileError.unsupported(path, "this server has no \(feature)")
        }
        return cloud
    }

    private func detectCloud() async throws -> CloudServer? {
        let address = server.address
        guard let installation = URL(string: address?.installation ?? "/", relativeTo: configuration.url)?.absoluteURL,
            let product = try await product(installation)
        else { return nil }
        let dialect = CloudDialect(product: product)
        let space = dialect.hasSpaces ? try await space(address, installation) : nil
        var user = ""
        if case .files(let name)? = address?.home { user = name }
        // This comes before the capabilities: Nextcloud reports a few of those without an account, and does not ask for
        // a credential.
        if user.isEmpty ? space == nil : session.awaitsChallenge {
            do {
                let account = try await account(installation)
                if user.isEmpty { user = account.id }
            } catch is WebDAVError where !user.isEmpty {}  // It was asked for the challenge only.
        }
        let capabilities = try await capabilities(installation)
        let home = address?.root ?? space?.url?.path(percentEncoded: true) ?? filesPath(installation, user)
        return CloudServer(
            dialect: dialect, capabilities: capabilities, installation: installation, user: user,
            space: space?.id, home: URL(string: home, relativeTo: installation)?.absoluteURL ?? configuration.url)
    }

    private func filesPath(_ installation: URL, _ user: String) -> String {
        installation.path(percentEncoded: true) + "remote.php/dav/files/\(ItemPath.encodedSegment(user))/"
    }

    /// Returns the server's capabilities; none if only its files can be reached, as behind some proxies.
    private func capabilities(_ installation: URL) async throws -> CloudCapabilities {
        let request = ocsRequest(.get, installation, "cloud/capabilities")
        do { return try await ocs(request, as: CloudCapabilities.self) } catch let error as WebDAVError
            where [403, 404, 405, 410, 501].contains(error.statusCode)
        { return CloudCapabilities() }
    }

    /// Returns the product's name from `status.php`; `nil` if there is no such page or it is something else.
    ///
    /// - Throws: ``WebDAVError`` or a transport error if the server cannot answer now, unless its root is a plain
    ///   WebDAV folder. A restarting cloud must not be mistaken for a plain server.
    private func product(_ installation: URL) async throws -> String? {
        guard let url = URL(string: installation.absoluteString + "status.php") else { return nil }
        let (response, data): (HTTPResponse, Data)
        do { (response, data) = try await session.data(for: HTTPRequest(.get, url)) } catch let error as URLError
            where server.address == nil && error.isAboutOnePage(at: url)
        {
            guard try await showsToBePlain() else { throw error }
            return nil
        }
        if HTTPStatus.isUnavailable(response.status) {
            guard server.address == nil, try await showsToBePlain() else {
                throw WebDAVError(status: response.status, path: url.path(percentEncoded: false), data: data)
            }
            return nil
        }
        guard response.isSuccess, let status = try? JSONDecoder().decode(CloudStatus.self, from: data) else {
            return nil
        }
        return status.productName
    }

    /// Returns whether the server's root offers WebDAV itself, where a cloud has its web pages.
    private func showsToBePlain() async throws -> Bool {
        let (response, _) = try await session.stream(for: optionsRequest(path: .root))
        return response.isSuccess && response.headers["DAV"] != nil
    }

    /// Returns the space that the address names, otherwise the personal one.
    private func space(_ address: CloudAddress?, _ installation: URL) async throws -> StorageSpace? {
        if case .space(let id)? = address?.home { return StorageSpace(id: id, name: id, kind: "space") }
        return try await drives(installation).first { $0.kind == "personal" }
    }
}

extension URLError {
    /// Whether other pages of the server may still be reachable.
    fileprivate func isAboutOnePage(at url: URL) -> Bool {
        switch code {
        case .networkConnectionLost, .httpTooManyRedirects, .redirectToNonExistentLocation, .dataLengthExceedsMaximum,
            .badServerResponse, .unsupportedURL:
            true
        // The server redirected to another host, which failed.
        default: failingURL.map { $0.host() != url.host() } ?? false
        }
    }
}

/// The contents of `status.php`; one with a version is a cloud's.
private struct CloudStatus: Decodable {
    let versionstring: String
    let productname: String?
    let product: String?
    let extendedSupport: Bool?

    /// The product's own name. A Nextcloud may go by the name that its owner has given it, but no other product tells
    /// of extended support.
    var productName: String { extendedSupport == nil ? product ?? productname ?? "ownCloud" : "Nextcloud" }
}

/// The reply of `cloud/user`; the display name has one of two keys, and an empty text means nothing.
struct CloudAccount: Decodable {
    let account: StorageAccount

    private enum Key: String, CodingKey {
        case id, displayname, email
        case displayName = "display-name"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String? {
            try fields.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
        account = StorageAccount(
            id: try fields.decode(String.self, forKey: .id),
            displayName: try text(.displayName) ?? text(.displayname), emailAddress: try text(.email))
    }
}
