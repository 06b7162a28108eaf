import FileProviding
import Foundation

extension WebDAVFileProvider: AccountProvider {
    /// Requests `cloud/user` of a cloud.
    ///
    /// - Throws: `.featureUnsupported` for plain WebDAV.
    public func account() async throws -> StorageAccount {
        try await account(cloud(.root, "accounts").installation)
    }

    func account(_ installation: URL) async throws -> StorageAccount {
        try await ocs(ocsRequest(.get, installation, "cloud/user"), as: CloudAccount.self).account
    }
}
