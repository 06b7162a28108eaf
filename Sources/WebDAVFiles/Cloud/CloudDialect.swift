import FileProviding

/// How one kind of cloud server differs from plain WebDAV, apart from how it writes, which is its ``ServerFamily``.
///
/// One of these properties decides everything that the provider does differently by product.
struct CloudDialect: Sendable, Hashable {
    /// How the server writes.
    let family: ServerFamily
    /// Where removed items are.
    let trash: TrashLayout
    /// Where earlier versions are.
    let versions: VersionsLayout
    /// How to search.
    let search: SearchMethod
    /// The source of thumbnails.
    let previews: PreviewMethod
    /// Whether an account's files are in spaces, which Graph lists and shares refer to.
    let hasSpaces: Bool
    /// The hashes that the server knows for each file, best first.
    let checksums: [Checksum.Algorithm]

    enum TrashLayout: Sendable, Hashable {
        /// `remote.php/dav/trash-bin/USER/`, restored by MOVE to the place.
        case user
        /// `dav/spaces/trash-bin/SPACE/`, restored by MOVE to the place.
        case space
        /// `remote.php/dav/trashbin/USER/trash/`, restored by MOVE to `…/restore/`: to where it was.
        case restoreFolder
    }

    enum VersionsLayout: Sendable, Hashable {
        /// `remote.php/dav/meta/ID/v/`, restored by COPY to the file.
        case meta
        /// `remote.php/dav/versions/USER/versions/NUMBER/`, restored by MOVE to `…/restore/`.
        case restoreFolder
    }

    enum SearchMethod: Sendable, Hashable {
        /// REPORT `oc:search-files` on the account's files.
        case report
        /// REPORT `oc:search-files` on the spaces, its pattern a query: `name:"*x*"`.
        case spacesReport
        /// SEARCH with `basicsearch` (RFC 5323).
        case basicSearch
    }

    enum PreviewMethod: Sendable, Hashable {
        /// `FILE?preview=1`.
        case query
        /// `index.php/core/preview?fileId=`.
        case endpoint
    }

    static let ownCloud = CloudDialect(
        family: .ownCloud, trash: .user, versions: .meta, search: .report, previews: .query,
        hasSpaces: false, checksums: [.sha1, .md5, .adler32])

    /// Nextcloud stores the checksum that it is sent, and this provider sends SHA-1.
    static let nextcloud = CloudDialect(
        family: .nextcloud, trash: .restoreFolder, versions: .restoreFolder, search: .basicSearch,
        previews: .endpoint, hasSpaces: false, checksums: [.sha1])

    static let openCloud = CloudDialect(
        family: .openCloud, trash: .space, versions: .meta, search: .spacesReport,
        previews: .query, hasSpaces: true, checksums: [.sha1, .md5, .adler32])

    /// Returns the dialect of a product, by the name that `status.php` reports; forks use ownCloud's.
    init(product: String) {
        let name = product.lowercased()
        if name.contains("nextcloud") {
            self = .nextcloud
        } else if name.contains("opencloud") || name.contains("infinite scale") || name.contains("ocis") {
            self = .openCloud
        } else {
            self = .ownCloud
        }
    }

    private init(
        family: ServerFamily, trash: TrashLayout, versions: VersionsLayout, search: SearchMethod,
        previews: PreviewMethod, hasSpaces: Bool, checksums: [Checksum.Algorithm]
    ) {
        self.family = family
        self.trash = trash
        self.versions = versions
        self.search = search
        self.previews = previews
        self.hasSpaces = hasSpaces
        self.checksums = checksums
    }
}
