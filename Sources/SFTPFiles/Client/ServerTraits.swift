import FileProviding
import Foundation

/// What a server reported about itself when the connection began.
struct ServerTraits: Sendable, Equatable {
    /// The known extensions that it supports.
    var extensions: Set<SFTPExtension> = []
    /// The most that one READ requests, in bytes.
    var readLength = PacketLimits.guaranteedTransfer
    /// The most that one WRITE carries, in bytes.
    var writeLength = PacketLimits.guaranteedTransfer
    /// How the server interprets SYMLINK, if it reports that.
    var linkOrder: LinkOrder?
    /// The user's home directory, where relative paths begin; `nil` if the server does not report it.
    var home: [UInt8]?
    /// The number of bytes that the server may send over the connection before the window is enlarged.
    var receiveWindow = Int(UInt32.max)
    /// The shortest time from a request to its answer so far.
    var roundTrip = Duration.zero

    /// The distance to the server.
    enum Distance {
        /// The line limits how fast one connection sends.
        case nearby
        /// The servers' windows of 2 MiB limit that; a nearby server that is busy may seem to be this far.
        case away
        /// The windows are the limit even with several connections.
        case farAway
    }

    var distance: Distance { roundTrip > .milliseconds(12) ? .farAway : roundTrip > .milliseconds(5) ? .away : .nearby }

    /// The most of a file, in bytes, that is in flight over all connections. If the server is far away, it has to be
    /// more than the windows of six connections.
    var reach: Int { distance == .farAway ? 16 << 20 : Piecework.leastReach }

    /// How many bytes may be in flight over one connection: the amount that a fast line holds during a round trip, and
    /// never less than keeps both ends busy.
    var window: Int {
        let seconds = Double(roundTrip.components.attoseconds) / 1e18 + Double(roundTrip.components.seconds)
        return min(max(Int(seconds * 600e6), 2 << 20), Piecework.leastReach)
    }

    /// How many bytes may be requested at once over one connection: slightly more than the server may send keeps it
    /// busy, and anything beyond that would only wait, while another connection could have fetched it already.
    var readWindow: Int { min(window, receiveWindow + receiveWindow / 4) }

    /// Whether it is OpenSSH's server: requests are processed strictly in order, LSTAT does not follow links, RENAME
    /// replaces nothing. No other server offers both of these extensions, which OpenSSH has since 8.7; `limits` is also
    /// offered by servers that behave differently (ProFTPD, asyncssh).
    var isSequential: Bool { extensions.isSuperset(of: [.lsetstat, .expandPath]) }

    /// Whether the server exposes a plain file system: links, permissions, writing anywhere in a file, any name.
    /// Servers without `fsync` often have an object store or another translation behind them (rclone).
    var isFileSystem: Bool { extensions.contains(.fsync) }

    /// Whether RENAME and hard links may be about what a link leads to, as ProFTPD's are. It is known by its list of
    /// versions; a server that is mistaken for it loses nothing but a moment's atomicity where a link is replaced.
    var renamesTargets: Bool { offers(.versions) && !isSequential }

    /// Whether REALPATH resolves links, as OpenSSH's does. Those of Go and paramiko only normalize their argument.
    var resolvesLinks: Bool { isFileSystem }

    func offers(_ name: SFTPExtension) -> Bool { extensions.contains(name) }

    /// Parses the VERSION packet's extensions: pairs of name and version.
    mutating func take(version body: UnsafeRawBufferPointer) throws(MalformedPacket) {
        var reader = PacketReader(body)
        let version = try reader.uint32()
        guard version == 3 else { throw MalformedPacket(reason: "the server speaks SFTP version \(version), not 3") }
        while !reader.rest.isEmpty {
            let name = String(decoding: try reader.string(), as: UTF8.self)
            let data = try reader.string()
            if let known = SFTPExtension(rawValue: name) { extensions.insert(known) }
            if name == "symlink-order@rjk.greenend.org.uk" {
                linkOrder = data.starts(with: "linkpath".utf8) ? .linkFirst : .targetFirst
            }
        }
        if isSequential { linkOrder = .targetFirst }
    }

    /// Parses the answer to `limits@openssh.com`; 0 means that the server specifies no limit.
    mutating func take(limits body: UnsafeRawBufferPointer) throws(MalformedPacket) {
        var reader = PacketReader(body)
        let packet = try reader.uint64()
        let (read, write) = (try reader.uint64(), try reader.uint64())
        let most = packet == 0 ? PacketLimits.transfer : Int(clamping: packet) - 1024
        func usable(_ told: UInt64) -> Int {
            max(
                4096,
                min(told == 0 ? PacketLimits.guaranteedTransfer : Int(clamping: told), most, PacketLimits.transfer))
        }
        readLength = usable(read)
        writeLength = usable(write)
    }
}
