import FileProviding
import HTTPFiles

/// What a kind of WebDAV server is known for. Measured; see `Tests/Servers/README.md`.
///
/// Everything that the provider does differently by server is decided by one of these properties.
public struct ServerFamily: Sendable, Hashable {
    /// What people call it.
    public var name: String
    /// Whether a PUT that is cut leaves the old file, and readers never see half of the new one.
    public var putIsAtomic = false
    /// Whether `If-None-Match: *` keeps a PUT from replacing.
    public var honoursIfNoneMatch = false
    /// Whether COPY and MOVE into a missing collection are refused.
    public var refusesMissingParents = true
    /// Whether `X-OC-Mtime` sets the modification time.
    public var setsTimes = false
    /// Whether a MOVE leaves the file's ETag as the PUT told it.
    public var keepsETagOnMove = false
    /// Whether a PUT needs `Content-Length`.
    public var needsLength = false
    /// Bytes at which the server cuts a name that stands in the `Destination` of COPY or MOVE.
    public var destinationCutters: Set<UInt8> = []
    /// How a part of a file can be written.
    public var partialWrite: PartialWriteMethod?

    /// How a part of a file can be written.
    public enum PartialWriteMethod: Sendable, Hashable {
        /// PUT with `Content-Range`, as mod_dav does.
        case contentRange
        /// PATCH with `X-Update-Range`, as sabre/dav does.
        case sabrePatch
    }

    /// A server of which nothing is known: nothing is trusted.
    public static let unknown = ServerFamily(name: "WebDAV server")
    /// Apache httpd with mod_dav_fs.
    public static let modDAV = ServerFamily(
        name: "Apache mod_dav", putIsAtomic: true, honoursIfNoneMatch: true, partialWrite: .contentRange)
    /// sabre/dav.
    public static let sabre = ServerFamily(name: "sabre/dav", honoursIfNoneMatch: true)
    /// nginx with the dav and dav-ext modules.
    public static let nginx = ServerFamily(name: "nginx dav-ext", putIsAtomic: true, refusesMissingParents: false)
    /// WsgiDAV.
    public static let wsgiDAV = ServerFamily(
        name: "WsgiDAV", honoursIfNoneMatch: true, setsTimes: true, destinationCutters: Set("?;".utf8))
    /// Servers on Go's webdav package, such as `rclone serve webdav`.
    public static let goWebDAV = ServerFamily(name: "Go webdav (rclone)")

    /// The family that an OPTIONS reply belongs to.
    ///
    /// `Server` alone proves little: Apache and nginx often stand before other servers.
    init(optionsReply response: HTTPResponse) {
        let server = response.headers["Server"]?.lowercased() ?? ""
        let classes = response.headers.values("DAV").joined(separator: ",").lowercased()
        let methods = response.headers.values("Allow").joined(separator: ",").uppercased()
        if classes.contains("apache.org/dav/propset/fs") {
            self = .modDAV
        } else if classes.contains("extended-mkcol") || classes.contains("sabredav") {
            self = .sabre
            if classes.contains("sabredav-partialupdate") { partialWrite = .sabrePatch }
        } else if server.hasPrefix("wsgidav") {
            self = .wsgiDAV
        } else if server.hasPrefix("nginx"), !methods.contains("PROPPATCH"), methods.contains("PROPFIND") {
            self = .nginx
        } else if server.hasPrefix("rclone") || (server.isEmpty && methods.hasPrefix("OPTIONS, LOCK")) {
            self = .goWebDAV
        } else {
            self = .unknown
        }
    }

    init(
        name: String, putIsAtomic: Bool = false, honoursIfNoneMatch: Bool = false, refusesMissingParents: Bool = true,
        setsTimes: Bool = false, destinationCutters: Set<UInt8> = [], partialWrite: PartialWriteMethod? = nil
    ) {
        self.name = name
        self.putIsAtomic = putIsAtomic
        self.honoursIfNoneMatch = honoursIfNoneMatch
        self.refusesMissingParents = refusesMissingParents
        self.setsTimes = setsTimes
        self.destinationCutters = destinationCutters
        self.partialWrite = partialWrite
    }

    /// Whether the server would take a `Destination` for another name.
    func cuts(_ path: ItemPath) -> Bool { path.bytes.contains { destinationCutters.contains($0) } }

    /// Refuses a destination that the server would take for another name.
    func checkDestination(_ path: ItemPath) throws {
        guard cuts(path) else { return }
        let letters = destinationCutters.map { String(UnicodeScalar($0)) }.sorted().joined(separator: " ")
        throw cocoaError(
            path, code: .fileWriteInvalidFileName, reason: "\(name) cannot move or copy to a name with one of \(letters)")
    }
}
