/// An element's name with its namespace (Namespaces in XML 1.0); prefixes mean nothing.
package struct XMLName: Hashable, Sendable {
    /// The namespace's URI.
    package let namespace: String
    /// The name without prefix.
    package let localName: String

    package init(_ localName: String, namespace: String = Self.dav) {
        self.namespace = namespace
        self.localName = localName
    }

    /// WebDAV itself (RFC 4918, section 14).
    package static let dav = "DAV:"
    /// ownCloud, and Nextcloud and OpenCloud after it.
    package static let ownCloud = "http://owncloud.org/ns"
    /// What Nextcloud added.
    package static let nextcloud = "http://nextcloud.org/ns"
    /// sabre/dav's error texts.
    package static let sabre = "http://sabredav.org/ns"
    /// mod_dav_fs.
    package static let apache = "http://apache.org/dav/props/"
    /// Microsoft's web folders, and the servers that remember what those set.
    package static let microsoft = "urn:schemas-microsoft-com:"
}
