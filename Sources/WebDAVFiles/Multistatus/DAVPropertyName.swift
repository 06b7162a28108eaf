/// The properties that have a typed field in ``DAVProperties``.
///
/// Raw values are the parser's element codes, disjoint from those of ``DAVElement``.
package enum DAVPropertyName: UInt8, CaseIterable, Sendable {
    case resourceType = 64
    case contentLength, lastModified, creationDate, etag, contentType, displayName
    case quotaAvailable, quotaUsed
    case isCollection, isHidden
    case lockDiscovery
    case id, fileID, permissions, size, favorite, checksums, ownerID, ownerDisplayName, shareTypes

    /// The name of the property in requests and replies.
    package var name: XMLName {
        switch self {
        case .resourceType: XMLName("resourcetype")
        case .contentLength: XMLName("getcontentlength")
        case .lastModified: XMLName("getlastmodified")
        case .creationDate: XMLName("creationdate")
        case .etag: XMLName("getetag")
        case .contentType: XMLName("getcontenttype")
        case .displayName: XMLName("displayname")
        case .quotaAvailable: XMLName("quota-available-bytes")
        case .quotaUsed: XMLName("quota-used-bytes")
        case .isCollection: XMLName("iscollection")
        case .isHidden: XMLName("ishidden")
        case .lockDiscovery: XMLName("lockdiscovery")
        case .id: XMLName("id", namespace: XMLName.ownCloud)
        case .fileID: XMLName("fileid", namespace: XMLName.ownCloud)
        case .permissions: XMLName("permissions", namespace: XMLName.ownCloud)
        case .size: XMLName("size", namespace: XMLName.ownCloud)
        case .favorite: XMLName("favorite", namespace: XMLName.ownCloud)
        case .checksums: XMLName("checksums", namespace: XMLName.ownCloud)
        case .ownerID: XMLName("owner-id", namespace: XMLName.ownCloud)
        case .ownerDisplayName: XMLName("owner-display-name", namespace: XMLName.ownCloud)
        case .shareTypes: XMLName("share-types", namespace: XMLName.ownCloud)
        }
    }
}
