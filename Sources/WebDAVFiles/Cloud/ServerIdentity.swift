import FileProviding

/// A cloud's identifiers of an item.
struct ServerIdentity {
    /// `oc:id`, unique on the server.
    let id: String
    /// `oc:fileid`; with Nextcloud a plain number.
    let number: String
    let etag: ETag?
    let modificationTime: FileTime?
    let isDirectory: Bool
}
