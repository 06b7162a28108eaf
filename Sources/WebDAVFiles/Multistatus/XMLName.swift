/// An element's name with its namespace (Namespaces in XML 1.0); prefixes are ignored.
package struct XMLName: Hashable, Sendable {
    /// The namespace's URI.
    package let namespace: String
    /// The name without prefix.
    package let localName: String

    package init(_ localName: String, namespace: String = Self.dav) {
        self.namespace = namespace
        self.localName = localName
    }

    /// The namespace of WebDAV itself (RFC 4918, section 14).
    package static let dav = "DAV:"
    /// ownCloud's namespace, also used by Nextcloud and OpenCloud.
    package static let ownCloud = "http://owncloud.org/ns"
    /// The namespace of Nextcloud's additions.
    package static let nextcloud = "http://nextcloud.org/ns"
    /// The namespace of sabre/dav's error texts.
    package static let sabre = "http://sabredav.org/ns"
}
