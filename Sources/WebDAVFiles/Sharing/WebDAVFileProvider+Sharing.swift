import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: ShareProvider {
    private static let shares = "apps/files_sharing/api/v1/shares"
    private static let sharees = "apps/files_sharing/api/v1/sharees"

    /// Returns a link to the item that anyone can open: an existing one that is for reading only and has no password or
    /// expiry, otherwise a new one.
    public func publicLink(to path: ItemPath) async throws -> PublicLink {
        let present = try await shares(of: path).first {
            // Nextcloud adds the right to share further to every link.
            $0.receiver.kind == .link && $0.permissions.subtracting(.share) == .read && !$0.hasPassword
                && $0.expiration == nil
        }
        let share: Share
        if let present, present.url != nil {
            share = present
        } else {
            share = try await createShare(of: path, ShareDraft(receiver: Sharee(kind: .link), permissions: .read))
        }
        guard let url = share.url else {
            throw cocoaError(path, code: .fileReadCorruptFile, reason: "the server made a link without an address")
        }
        let file = try? await attributesOfItem(path: path)
        return PublicLink(url: url, file: file, expiration: share.expiration, shareID: share.id)
    }

    /// Returns the shares of an item, or everything that the account shares; of that, only what is below the provider's
    /// root.
    public func shares(of path: ItemPath?) async throws -> [Share] {
        let cloud = try await sharesCloud(path)
        guard let path else {
            return try await list(cloud, [], about: .root).compactMap { found in
                self.path(inHome: found.path).map { found.share(of: $0) }
            }
        }
        let item = try await reference(path, cloud)
        // With those that others have made of it, where the server tells them apart.
        let all = cloud.dialect.hasSpaces ? [item] : [item, ("reshares", "true")]
        return try await list(cloud, all, about: path).map { $0.share(of: path) }
    }

    /// Returns the shares through which others give the account items, with the paths at which they are mounted; only
    /// those below the provider's root.
    public func sharesWithMe() async throws -> [Share] {
        let cloud = try await sharesCloud(nil)
        return try await list(cloud, [("shared_with_me", "true")], about: .root).compactMap { found in
            self.path(inHome: found.path).map { found.shareWithMe(at: $0) }
        }
    }

    /// Creates a share. The error carries the server's own message, such as its requirements for a password.
    public func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share {
        let cloud = try await sharesCloud(path)
        guard let type = draft.receiver.kind.ocs else {
            throw FileError.unsupported(path, "nothing is shared with “\(draft.receiver.id)” from here")
        }
        var form = [try await reference(path, cloud), ("shareType", String(type))]
        if draft.receiver.kind != .link { form.append(("shareWith", draft.receiver.id)) }
        form += fields(draft)
        let request = ocsRequest(.post, cloud.installation, Self.shares, form: form)
        return try await ocs(request, about: path, as: OCSShare.self).share(of: path)
    }

    /// Changes a share; whatever is `nil` in the draft stays as it is.
    public func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share {
        let cloud = try await sharesCloud(share.path)
        let request = ocsRequest(
            .put, cloud.installation, "\(Self.shares)/\(try identifier(share))", form: fields(draft))
        return try await ocs(request, about: share.path, as: OCSShare.self).share(of: share.path)
    }

    /// Ends a share.
    public func removeShare(_ share: Share) async throws {
        let cloud = try await sharesCloud(share.path)
        let request = ocsRequest(.delete, cloud.installation, "\(Self.shares)/\(try identifier(share))")
        _ = try await ocs(request, about: share.path, as: OCSNothing.self)
    }

    /// Returns the users and groups that match a text, exact matches first.
    public func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee] {
        let cloud = try await sharesCloud(path)
        let kind = try await attributesOfItem(path: path).isDirectory ? "folder" : "file"
        let query = [("search", text), ("itemType", kind), ("perPage", "50")]
        let request = ocsRequest(.get, cloud.installation, Self.sharees, query: query)
        return try await ocs(request, about: path, as: OCSSharees.self).sharees
    }

    private func sharesCloud(_ path: ItemPath?) async throws -> CloudServer {
        try await cloud(path ?? .root, "shares", where: \.hasShares)
    }

    private func list(
        _ cloud: CloudServer, _ query: [(String, String)], about path: ItemPath
    ) async throws -> [OCSShare] {
        let request = ocsRequest(.get, cloud.installation, Self.shares, query: query)
        return try await ocs(request, about: path, as: [OCSShare].self)
    }

    /// Returns how the share API refers to the item. The item's existence is checked first: servers answer the same for
    /// a missing item as for a missing recipient.
    private func reference(_ path: ItemPath, _ cloud: CloudServer) async throws -> (String, String) {
        let item = try await serverIdentity(of: path)
        return cloud.dialect.hasSpaces ? ("space_ref", item.id) : ("path", homePath(of: path).description)
    }

    private func identifier(_ share: Share) throws -> String {
        ItemPath.root.appending(try ItemName(validating: share.id)).percentEncoded
    }

    private func fields(_ draft: ShareDraft) -> [(String, String)] {
        var fields: [(String, String)] = []
        if let permissions = draft.permissions { fields.append(("permissions", String(permissions.rawValue))) }
        if let password = draft.password { fields.append(("password", password)) }
        if let expiration = draft.expiration { fields.append(("expireDate", OCSDate.text(expiration))) }
        // Nextcloud and newer versions of ownCloud call a link's name its label.
        if let name = draft.name { fields += [("name", name), ("label", name)] }
        return fields
    }
}
