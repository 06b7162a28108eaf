import FileProviding
import HTTPFiles

/// What a kind of WebDAV server is known for. Measured on real ones; see `Tests/Servers/README.md`.
///
/// Everything that the provider does differently by server is decided by one of these properties. The defaults trust
/// nothing: they suit any server.
public struct ServerFamily: Sendable, Hashable {
    /// What people call it.
    public var name: String
    /// Whether a PUT that is cut leaves the old file, and readers never see half of the new one.
    public var putIsAtomic = false
    /// Whether `If-None-Match: *` keeps a PUT from replacing.
    public var honoursIfNoneMatch = false
    /// Whether a request that names a file's tag in its `If` header is refused once the file has another one.
    public var honoursTagConditions = false
    /// Whether success can be believed: others answer 201 to a body that did not fit on the disk, and 204 to a DELETE
    /// that left a member behind.
    public var provesSuccess = false
    /// Whether 403 to the removal of a directory may be about a member alone.
    public var blamesDirectories = false
    /// Whether COPY and MOVE into a missing collection are refused.
    public var refusesMissingParents = false
    /// Whether `Overwrite: F` keeps COPY and MOVE from whatever is there: others put a file into a directory of that name.
    public var honoursOverwrite = false
    /// Whether a PUT without `Content-Length` loses its body.
    public var needsLength = true
    /// Whether the server guesses the encoding of names, and takes some UTF-8 for Latin-1.
    public var guessesEncoding = false
    /// Whether a name that the server takes stays as it is and is never taken for another, but for what is told here.
    public var keepsNames = false
    /// Whether the server may take a name that is not there for a longer one that begins with it and a dot, unless a request
    /// accepts no representation (Apache's MultiViews).
    public var negotiates = false
    /// Names that the server alters, hides or loses.
    public var unfitNames: Set<UnfitName> = [.notUTF8]
    /// Names that only a directory cannot have, since its members would be lost.
    public var unfitDirectoryNames: Set<UnfitName> = []
    /// Bytes at which the server cuts a name that stands in the `Destination` of COPY or MOVE.
    public var destinationCutters: Set<UInt8> = []
    /// Whether a hash that is sent with a file (`OC-Checksum`) is kept with it.
    public var takesChecksums = false
    /// Whether the server computes hashes itself, and refuses a file that is sent with another one.
    public var computesChecksums = true
    /// How finely modification times can be set, in nanoseconds; `nil` when they cannot.
    public var settableTimePrecision: Int64?
    /// The earliest modification time that is taken, where there is one; with an earlier one a whole file is refused.
    public var earliestTime: FileTime?
    /// Whether the modification time of what is there can be changed.
    public var changesTimes = false
    /// How a part of a file can be written.
    public var partialWrite: PartialWriteMethod?

    /// A kind of name that a server does not keep as it is.
    public enum UnfitName: Sendable, Hashable {
        /// Bytes that are not UTF-8.
        case notUTF8
        /// A leading dot: such an item is not listed.
        case leadingDot
        /// Control characters.
        case controlCharacters
        /// A line feed.
        case lineFeed
        /// More than 255 bytes, which hardly any file system takes: the server says yes all the same.
        case tooLong
    }

    /// How a part can be written into a file that is there.
    public enum InPlaceWrite: Sendable, Hashable {
        /// PUT with `Content-Range`, as mod_dav does.
        case contentRange
        /// PATCH with `X-Update-Range`, as sabre/dav does.
        case sabrePatch
    }

    /// How a part of a file can be written.
    public enum PartialWriteMethod: Sendable, Hashable {
        /// Into a file of another name.
        case inPlace(InPlaceWrite)
        /// Parts in a folder of their own, put together by a MOVE, as ownCloud and Nextcloud do.
        case chunks
        /// TUS 1.0.0, as OpenCloud does, with at most so many bytes in a request.
        case tus(partLength: Int64)
    }

    /// A server of which only the name is known.
    public init(name: String) { self.name = name }

    /// A server on which the contract suite passes.
    private init(_ name: String, _ know: (inout ServerFamily) -> Void) {
        self.init(name: name)
        keepsNames = true
        honoursOverwrite = true
        refusesMissingParents = true
        know(&self)
    }
}

extension ServerFamily {
    /// A server of which nothing is known.
    public static let unknown = {
        var family = ServerFamily(name: "WebDAV server")
        family.unfitNames = [.notUTF8, .controlCharacters]
        return family
    }()

    /// Apache httpd with mod_dav_fs.
    public static let modDAV = ServerFamily("Apache mod_dav") {
        $0.putIsAtomic = true
        $0.honoursIfNoneMatch = true
        $0.honoursTagConditions = true
        $0.provesSuccess = true
        $0.needsLength = false
        $0.negotiates = true
        $0.unfitNames = []
        $0.partialWrite = .inPlace(.contentRange)
    }

    /// sabre/dav with its own file classes.
    public static let sabre = ServerFamily("sabre/dav") {
        $0.honoursIfNoneMatch = true
        $0.honoursTagConditions = true
        $0.guessesEncoding = true
        $0.unfitNames = [.notUTF8, .tooLong]
        $0.unfitDirectoryNames = [.lineFeed]
    }

    /// nginx with the dav and dav-ext modules.
    public static let nginx = ServerFamily("nginx dav-ext") {
        $0.putIsAtomic = true
        $0.provesSuccess = true
        $0.refusesMissingParents = false
        $0.needsLength = false
        $0.unfitNames = [.leadingDot]
    }

    /// WsgiDAV.
    public static let wsgiDAV = ServerFamily("WsgiDAV") {
        $0.honoursIfNoneMatch = true
        $0.provesSuccess = true
        $0.blamesDirectories = true
        $0.needsLength = false
        $0.destinationCutters = Set("?;\t\n\r".utf8)
    }

    /// `rclone serve webdav`, where it gives its name.
    public static let rclone = ServerFamily("rclone") {
        $0.provesSuccess = true
        $0.needsLength = false
        $0.unfitNames = [.notUTF8, .controlCharacters]
    }

    /// Servers on Go's webdav package, such as rclone before it gave its name, and on what others made of it, which no reply
    /// tells apart: AList ignores `Overwrite` and the new name of a copy.
    public static let goWebDAV = ServerFamily("Go webdav") {
        $0.refusesMissingParents = false
        $0.honoursOverwrite = false
        $0.needsLength = false
        $0.unfitNames = [.notUTF8, .controlCharacters]
    }

    /// ownCloud 10.
    public static let ownCloud = ServerFamily("ownCloud") {
        $0.putIsAtomic = true
        $0.honoursIfNoneMatch = true
        $0.honoursTagConditions = true
        $0.provesSuccess = true
        $0.takesChecksums = true
        $0.changesTimes = true
        $0.settableTimePrecision = 1_000_000_000
    }

    /// Nextcloud. It believes any hash that it is sent.
    public static let nextcloud = ServerFamily("Nextcloud") {
        $0.putIsAtomic = true
        $0.honoursIfNoneMatch = true
        $0.honoursTagConditions = true
        $0.provesSuccess = true
        $0.takesChecksums = true
        $0.computesChecksums = false
        $0.earliestTime = FileTime(seconds: 86_401)
        $0.changesTimes = true
        $0.settableTimePrecision = 1_000_000_000
    }

    /// OpenCloud, and ownCloud Infinite Scale before it: `If-None-Match` is ignored, a PUT without length refused.
    public static let openCloud = ServerFamily("OpenCloud") {
        $0.putIsAtomic = true
        $0.provesSuccess = true
        $0.takesChecksums = true
        $0.settableTimePrecision = 1_000_000_000
    }

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
            if classes.contains("sabredav-partialupdate") { partialWrite = .inPlace(.sabrePatch) }
        } else if server.hasPrefix("wsgidav") {
            self = .wsgiDAV
        } else if server.hasPrefix("nginx"), ["1", "2"].contains(classes),
            methods.hasPrefix("GET,HEAD,PUT,DELETE,MKCOL,COPY,MOVE,PROPFIND,OPTIONS")
        {
            // What dav-ext says of itself, to the letter; who stands behind nginx says something else.
            self = .nginx
        } else if server.hasPrefix("rclone") {
            self = .rclone
        } else if server.isEmpty, methods.hasPrefix("OPTIONS, LOCK") {
            self = .goWebDAV
        } else {
            self = .unknown
        }
    }
}
