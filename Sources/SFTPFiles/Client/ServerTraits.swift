import FileProviding
import Foundation

/// What a server said of itself when the connection began.
struct ServerTraits: Sendable, Equatable {
    /// The extensions that it offers and that we know.
    var extensions: Set<SFTPExtension> = []
    /// The most that one READ asks for, in bytes.
    var readLength = PacketLimits.guaranteedTransfer
    /// The most that one WRITE carries, in bytes.
    var writeLength = PacketLimits.guaranteedTransfer
    /// How SYMLINK is understood, where the server tells.
    var linkOrder: LinkOrder?
    /// How many files may be open at once, where the server has a limit.
    var openHandles: Int?
    /// Where relative paths begin: the person's home directory; `nil` where the server does not tell.
    var home: [UInt8]?
    /// How many bytes the server may send over the connection before it is told to go on.
    var receiveWindow = Int(UInt32.max)
    /// The shortest time from a request to its answer so far.
    var roundTrip = Duration.zero

    /// How far it is to the server.
    enum Distance {
        /// The line says how fast one connection sends.
        case nearby
        /// The servers' windows of 2 MiB say that; a server nearby that is busy may look so.
        case away
        /// Also with several connections.
        case farAway
    }

    var distance: Distance { roundTrip > .milliseconds(12) ? .farAway : roundTrip > .milliseconds(5) ? .away : .nearby }

    /// The most of a file, in bytes, that is under way at once over all connections. Far away it has to be more than six
    /// connections' windows.
    var reach: Int { distance == .farAway ? 16 << 20 : Piecework.leastReach }

    /// How many bytes may be on their way over one connection: what a fast line holds during a round trip, and never less
    /// than keeps both ends busy.
    var window: Int {
        let seconds = Double(roundTrip.components.attoseconds) / 1e18 + Double(roundTrip.components.seconds)
        return min(max(Int(seconds * 600e6), 2 << 20), Piecework.leastReach)
    }

    /// How many bytes may be asked for at once over one connection: a little more than the server may send keeps it busy, and
    /// what is asked for beyond that only waits, while another connection could have it here already.
    var readWindow: Int { min(window, receiveWindow + receiveWindow / 4) }

    /// Whether it is OpenSSH's server: requests are done strictly one after the other, LSTAT follows no link, RENAME replaces
    /// nothing. No other server offers both of these extensions, which it has since 8.7; `limits` some offer that are unlike it
    /// (ProFTPD, asyncssh).
    var isSequential: Bool { extensions.isSuperset(of: [.lsetstat, .expandPath]) }

    /// Whether the server shows a file system as it is: links, permissions, writing anywhere in a file, any name. Servers
    /// that offer no `fsync` often have an object store or another translation behind them (rclone).
    var isFileSystem: Bool { extensions.contains(.fsync) }

    /// Whether REALPATH tells where links lead, as OpenSSH's does. Go's and paramiko's tidies up what it is given.
    var resolvesLinks: Bool { isFileSystem }

    func offers(_ name: SFTPExtension) -> Bool { extensions.contains(name) }

    /// Takes the VERSION packet's extensions: pairs of name and version.
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

    /// Takes the answer to `limits@openssh.com`; 0 means that the server names no limit.
    mutating func take(limits body: UnsafeRawBufferPointer) throws(MalformedPacket) {
        var reader = PacketReader(body)
        let packet = try reader.uint64()
        let (read, write, handles) = (try reader.uint64(), try reader.uint64(), try reader.uint64())
        let most = packet == 0 ? PacketLimits.transfer : Int(clamping: packet) - 1024
        func usable(_ told: UInt64) -> Int {
            max(
                4096,
                min(told == 0 ? PacketLimits.guaranteedTransfer : Int(clamping: told), most, PacketLimits.transfer))
        }
        readLength = usable(read)
        writeLength = usable(write)
        openHandles = handles == 0 ? nil : Int(clamping: handles)
    }
}
