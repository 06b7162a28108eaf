import FileProviding
import HTTPFiles

/// The known characteristics of a kind of WebDAV server, measured on real ones; see `Tests/Servers/README.md`.
///
/// One of these properties decides everything that the provider does differently by server. The defaults assume
/// nothing: they suit any server.
package struct ServerFamily: Sendable, Hashable {
    /// The display name.
    package var name: String
    /// Whether a PUT that breaks off leaves the old file in place, and readers never see half of the new one.
    package var putIsAtomic = false
    /// Whether `If-None-Match: *` prevents a PUT from replacing a file.
    package var honorsIfNoneMatch = false
    /// Whether a request that names a file's tag in its `If` header is refused when the file has another tag.
    package var honorsTagConditions = false
    /// Whether a success status can be trusted: other servers answer 201 to a body that did not fit on the disk, and
    /// 204 to a DELETE that left a member behind.
    package var provesSuccess = false
    /// Whether a 403 to the removal of a directory may be about only one of its members.
    package var blamesDirectories = false
    /// Whether COPY and MOVE into a missing collection are refused.
    package var refusesMissingParents = false
    /// Whether `Overwrite: F` stops COPY and MOVE when anything is at the destination: other servers put a file into a
    /// directory of that name.
    package var honorsOverwrite = false
    /// Whether a PUT without `Content-Length` loses its body.
    package var needsLength = true
    /// Whether the server guesses the encoding of names, and treats some UTF-8 as Latin-1.
    package var guessesEncoding = false
    /// Whether a name that the server accepts is stored unchanged and never mistaken for another, apart from the
    /// exceptions in the other properties.
    package var keepsNames = false
    /// Whether the server may answer for a missing name with a longer one that begins with it and a dot, unless a
    /// request accepts no representation (Apache's MultiViews).
    package var negotiates = false
    /// The names that the server alters, hides or loses.
    package var unfitNames: Set<UnfitName> = [.notUTF8]
    /// The names that only a directory cannot have, since its members would be lost.
    package var unfitDirectoryNames: Set<UnfitName> = []
    /// The bytes at which the server truncates a name in the `Destination` of COPY or MOVE.
    package var destinationCutters: Set<UInt8> = []
    /// Whether a hash that is sent with a file (`OC-Checksum`) is stored with it.
    package var takesChecksums = false
    /// Whether the server computes hashes itself, and refuses a file that is sent with a different one.
    package var computesChecksums = true
    /// Whether a file has an identity, shares and versions, which it loses when another one is moved to its name.
    package var hasIdentities = false
    /// The precision with which modification times can be set, in nanoseconds; `nil` when they cannot be set.
    package var settableTimePrecision: Int64?
    /// The earliest modification time that is accepted, if there is a limit; with an earlier one the whole file is
    /// refused.
    package var earliestTime: FileTime?
    /// Whether the modification time of an existing file can be changed.
    package var changesTimes = false
    /// The way to write part of a file.
    package var partialWrite: PartialWriteMethod?
    /// A kind of name that a server does not store unchanged.
    package enum UnfitName: Sendable, Hashable {
        /// Bytes that are not UTF-8.
        case notUTF8
        /// A leading dot: such an item is not listed.
        case leadingDot
        /// Control characters.
        case controlCharacters
        /// Control characters below the space.
        case lowCharacters
        /// A line feed.
        case lineFeed
        /// A backslash.
        case backslash
        /// An ending of unfinished uploads: `.part` or `.filepart`.
        case unfinished
        /// More than 255 bytes, which hardly any file system supports: the server reports success all the same.
        case tooLong
    }

    /// A way to write part of an existing file.
    package enum InPlaceWrite: Sendable, Hashable {
        /// PUT with `Content-Range`, as mod_dav does.
        case contentRange
        /// PATCH with `X-Update-Range`, as sabre/dav does.
        case sabrePatch
    }

    /// A way to write part of a file.
    package enum PartialWriteMethod: Sendable, Hashable {
        /// Into a file under another name.
        case inPlace(InPlaceWrite)
        /// Parts in a separate folder, assembled by a MOVE, as ownCloud and Nextcloud do.
        case chunks
        /// TUS 1.0.0, as OpenCloud does, with at most `partLength` bytes in a request.
        case tus(partLength: Int64)
    }

    /// Creates the family of a server of which only the name is known.
    package init(name: String) { self.name = name }

    /// Creates the family of a server on which the contract suite passes.
    private init(_ name: String, _ know: (inout ServerFamily) -> Void) {
        self.init(name: name)
        keepsNames = true
        honorsOverwrite = true
        refusesMissingParents = true
        know(&self)
    }

    /// Creates the family of a server that differs little from another one.
    private init(_ name: String, like base: ServerFamily, _ know: (inout ServerFamily) -> Void) {
        self = base
        self.name = name
        know(&self)
    }
}

extension ServerFamily {
    /// The family of a server of which nothing is known.
    package static let unknown = {
        var family = ServerFamily(name: "WebDAV server")
        family.unfitNames = [.notUTF8, .controlCharacters]
        return family
    }()

    /// Apache httpd with mod_dav_fs.
    package static let modDAV = ServerFamily("Apache mod_dav") {
        $0.putIsAtomic = true
        $0.honorsIfNoneMatch = true
        $0.honorsTagConditions = true
        $0.provesSuccess = true
        $0.needsLength = false
        $0.negotiates = true
        $0.unfitNames = []
        $0.partialWrite = .inPlace(.contentRange)
    }

    /// sabre/dav with its own file classes.
    package static let sabre = ServerFamily("sabre/dav") {
        $0.honorsIfNoneMatch = true
        $0.honorsTagConditions = true
        $0.guessesEncoding = true
        $0.unfitNames = [.notUTF8, .tooLong]
        $0.unfitDirectoryNames = [.lineFeed]
    }

    /// nginx with the dav and dav-ext modules.
    package static let nginx = ServerFamily("nginx dav-ext") {
        $0.putIsAtomic = true
        $0.provesSuccess = true
        $0.refusesMissingParents = false
        $0.needsLength = false
        $0.unfitNames = [.leadingDot]
    }

    /// WsgiDAV.
    package static let wsgiDAV = ServerFamily("WsgiDAV") {
        $0.honorsIfNoneMatch = true
        $0.provesSuccess = true
        $0.blamesDirectories = true
        $0.needsLength = false
        $0.destinationCutters = Set("?;\t\n\r".utf8)
    }

    /// `rclone serve webdav`, if it reports its name.
    package static let rclone = ServerFamily("rclone") {
        $0.provesSuccess = true
        $0.needsLength = false
        $0.unfitNames = [.notUTF8, .controlCharacters]
    }

    /// Servers based on Go's webdav package, such as rclone before it reported its name, and others derived from it
    /// that no reply distinguishes: AList ignores `Overwrite` and the new name of a copy.
    package static let goWebDAV = ServerFamily("Go webdav") {
        $0.refusesMissingParents = false
        $0.honorsOverwrite = false
        $0.needsLength = false
        $0.unfitNames = [.notUTF8, .controlCharacters]
    }

    /// ownCloud 10.
    package static let ownCloud = ServerFamily("ownCloud") {
        $0.putIsAtomic = true
        $0.honorsIfNoneMatch = true
        $0.honorsTagConditions = true
        $0.provesSuccess = true
        $0.takesChecksums = true
        $0.hasIdentities = true
        $0.changesTimes = true
        $0.settableTimePrecision = 1_000_000_000
        $0.unfitNames = [.notUTF8, .lowCharacters, .backslash, .unfinished]
    }

    /// Nextcloud. It trusts any hash that it is sent.
    package static let nextcloud = ServerFamily("Nextcloud", like: .ownCloud) {
        $0.computesChecksums = false
        $0.earliestTime = FileTime(seconds: 86_401)
    }

    /// OpenCloud, and ownCloud Infinite Scale before it: `If-None-Match` is ignored, a PUT without length is refused.
    package static let openCloud = ServerFamily("OpenCloud") {
        $0.putIsAtomic = true
        $0.provesSuccess = true
        $0.takesChecksums = true
        $0.hasIdentities = true
        $0.settableTimePrecision = 1_000_000_000
        $0.unfitNames = [.notUTF8, .lineFeed, .backslash]
    }

    /// Creates the family that an OPTIONS reply indicates.
    ///
    /// `Server` alone proves little: Apache and nginx are often in front of other servers.
    init(optionsReply response: HTTPResponse) {
        let server = response.headers["Server"]?.lowercased() ?? ""
        let fields = response.headers.values("DAV").map { $0.lowercased() }
        let classes = fields.joined(separator: ",")
        let methods = response.headers.values("Allow").joined(separator: ",").uppercased()
        if fields.contains("<http://apache.org/dav/propset/fs/1>") {
            // In a field of its own: servers that imitate mod_dav, since some clients look for this class, name it
            // along with others.
            self = .modDAV
        } else if classes.contains("extended-mkcol") || classes.contains("sabredav") {
            self = .sabre
            if classes.contains("sabredav-partialupdate") { partialWrite = .inPlace(.sabrePatch) }
        } else if server.hasPrefix("wsgidav") {
            self = .wsgiDAV
        } else if server.hasPrefix("nginx"), ["1", "2"].contains(classes),
            methods.hasPrefix("GET,HEAD,PUT,DELETE,MKCOL,COPY,MOVE,PROPFIND,OPTIONS")
        {
            // dav-ext's own description, verbatim; a server behind nginx describes itself differently.
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
