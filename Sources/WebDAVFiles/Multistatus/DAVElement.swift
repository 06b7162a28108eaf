/// The elements around and inside properties that the parser knows (RFC 4918, section 14).
///
/// Raw values are the parser's element codes, disjoint from those of ``DAVPropertyName``.
enum DAVElement: UInt8, CaseIterable {
    case multistatus = 1
    case response, href, propstat, prop, status, error, responseDescription
    case collection, activeLock, lockToken, timeout, owner
    case checksum, shareType, message

    /// The possible names of the element: ownCloud's Go servers misspell their error bodies.
    var names: [XMLName] {
        switch self {
        case .multistatus: [XMLName("multistatus")]
        case .response: [XMLName("response")]
        case .href: [XMLName("href")]
        case .propstat: [XMLName("propstat")]
        case .prop: [XMLName("prop")]
        case .status: [XMLName("status")]
        case .error: [XMLName("error"), XMLName("error", namespace: "DAV")]
        case .responseDescription: [XMLName("responsedescription")]
        case .collection: [XMLName("collection")]
        case .activeLock: [XMLName("activelock")]
        case .lockToken: [XMLName("locktoken")]
        case .timeout: [XMLName("timeout")]
        case .owner: [XMLName("owner")]
        case .checksum: [XMLName("checksum", namespace: XMLName.ownCloud)]
        case .shareType: [XMLName("share-type", namespace: XMLName.ownCloud)]
        case .message: [XMLName("message", namespace: XMLName.sabre), XMLName("Message", namespace: XMLName.sabre)]
        }
    }
}
