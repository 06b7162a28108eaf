/// A request as it will be sent, and the type of its answer.
struct SFTPCall: Sendable {
    /// The packet; its number is filled in when it is sent.
    var packet: [UInt8]
    /// The type of the answer; `.status` if there is no other.
    let answer: PacketType
    /// Whether a cancelled task may stop waiting for the answer, because nothing on the server changes.
    var isAbandonable = false
    /// Whether the server may have to do much before it answers.
    private(set) var isLengthy = false
    /// What it opens or closes.
    private(set) var opening: Opening?

    /// The beginning or the end of a handle.
    enum Opening {
        case opens(path: [UInt8])
        case closes(handle: [UInt8])
    }

    private init(_ writer: consuming PacketWriter, answer: PacketType = .status, isAbandonable: Bool = false) {
        packet = writer.finished()
        self.answer = answer
        self.isAbandonable = isAbandonable
    }

    private init(
        _ type: PacketType, _ path: [UInt8], answer: PacketType = .status, isAbandonable: Bool = false
    ) {
        var writer = PacketWriter(type, reserving: path.count + 32)
        writer.append(string: path)
        self.init(writer, answer: answer, isAbandonable: isAbandonable)
    }

    private init(
        _ type: PacketType, _ path: [UInt8], _ attributes: SFTPAttributes, answer: PacketType = .status
    ) {
        var writer = PacketWriter(type, reserving: path.count + 64)
        writer.append(string: path)
        writer.append(attributes)
        self.init(writer, answer: answer)
    }
}

// MARK: Items by path

extension SFTPCall {
    static func lstat(_ path: [UInt8]) -> SFTPCall {
        SFTPCall(.lstat, path, answer: .attributes, isAbandonable: true)
    }

    static func stat(_ path: [UInt8]) -> SFTPCall {
        SFTPCall(.stat, path, answer: .attributes, isAbandonable: true)
    }

    static func realpath(_ path: [UInt8]) -> SFTPCall {
        SFTPCall(.realpath, path, answer: .name, isAbandonable: true)
    }

    static func readlink(_ path: [UInt8]) -> SFTPCall {
        SFTPCall(.readlink, path, answer: .name, isAbandonable: true)
    }

    static func opendir(_ path: [UInt8]) -> SFTPCall {
        SFTPCall(.opendir, path, answer: .handle, isAbandonable: true).with(.opens(path: path))
    }

    static func remove(_ path: [UInt8]) -> SFTPCall { SFTPCall(.remove, path).lengthy }
    static func rmdir(_ path: [UInt8]) -> SFTPCall { SFTPCall(.rmdir, path).lengthy }

    static func mkdir(_ path: [UInt8], _ attributes: SFTPAttributes) -> SFTPCall {
        SFTPCall(.mkdir, path, attributes)
    }

    static func setstat(_ path: [UInt8], _ attributes: SFTPAttributes) -> SFTPCall {
        SFTPCall(.setstat, path, attributes)
    }

    static func rename(_ old: [UInt8], to new: [UInt8]) -> SFTPCall {
        var writer = PacketWriter(.rename)
        writer.append(string: old)
        writer.append(string: new)
        return SFTPCall(writer).lengthy
    }

    static func symlink(_ path: [UInt8], target: [UInt8], _ order: LinkOrder = .targetFirst) -> SFTPCall {
        var writer = PacketWriter(.symlink)
        writer.append(string: order == .targetFirst ? target : path)
        writer.append(string: order == .targetFirst ? path : target)
        return SFTPCall(writer)
    }
}

// MARK: Open files and directories

extension SFTPCall {
    /// The modes in which a file is opened (section 6.3).
    struct OpenFlags: OptionSet, Sendable {
        let rawValue: UInt32
        static let read = OpenFlags(rawValue: 1)
        static let write = OpenFlags(rawValue: 2)
        static let create = OpenFlags(rawValue: 8)
        static let exclusive = OpenFlags(rawValue: 0x20)
    }

    static func open(
        _ path: [UInt8], _ flags: OpenFlags, _ attributes: SFTPAttributes = SFTPAttributes()
    ) -> SFTPCall {
        var writer = PacketWriter(.open, reserving: path.count + 64)
        writer.append(string: path)
        writer.append(flags.rawValue)
        writer.append(attributes)
        return SFTPCall(writer, answer: .handle, isAbandonable: flags == .read).with(.opens(path: path))
    }

    static func close(_ handle: [UInt8]) -> SFTPCall {
        SFTPCall(.close, handle).lengthy.with(.closes(handle: handle))
    }

    private func with(_ opening: Opening) -> SFTPCall {
        var call = self
        call.opening = opening
        return call
    }

    private var lengthy: SFTPCall {
        var call = self
        call.isLengthy = true
        return call
    }

    static func readdir(_ handle: [UInt8]) -> SFTPCall {
        SFTPCall(.readdir, handle, answer: .name, isAbandonable: true)
    }

    static func fstat(_ handle: [UInt8]) -> SFTPCall {
        SFTPCall(.fstat, handle, answer: .attributes, isAbandonable: true)
    }

    static func fsetstat(_ handle: [UInt8], _ attributes: SFTPAttributes) -> SFTPCall {
        SFTPCall(.fsetstat, handle, attributes)
    }

    static func read(_ handle: [UInt8], at offset: Int64, count: Int) -> SFTPCall {
        var writer = PacketWriter(.read)
        writer.append(string: handle)
        writer.append(UInt64(offset))
        writer.append(UInt32(count))
        return SFTPCall(writer, answer: .data)
    }

    /// Returns a WRITE whose `count` bytes `fill` puts directly into the packet.
    ///
    /// - Parameter fill: returns the actual number of bytes; the packet is shortened accordingly.
    static func write(
        _ handle: [UInt8], at offset: Int64, count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) rethrows -> (call: SFTPCall, count: Int) {
        var writer = PacketWriter(.write)
        writer.append(string: handle)
        writer.append(UInt64(offset))
        writer.append(UInt32(count))
        var call = SFTPCall(writer)
        let head = call.packet
        var filled = 0
        call.packet = try [UInt8](unsafeUninitializedCapacity: head.count + count) { buffer, used in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            raw.copyBytes(from: head)
            filled = try fill(UnsafeMutableRawBufferPointer(rebasing: raw[head.count...].prefix(count)))
            raw.storeBytes(of: UInt32(filled).bigEndian, toByteOffset: head.count - 4, as: UInt32.self)
            used = head.count + filled
        }
        PacketHeader.set(length: call.packet.count - 4, in: &call.packet)
        return (call, filled)
    }
}

// MARK: Extensions

extension SFTPCall {
    /// Returns a request of a server's extension (section 8), with fields that `write` appends.
    static func extended(
        _ name: SFTPExtension, answer: PacketType = .status, isAbandonable: Bool = false,
        _ write: (inout PacketWriter) -> Void = { _ in }
    ) -> SFTPCall {
        var writer = PacketWriter(.extended)
        writer.append(string: Array(name.rawValue.utf8))
        write(&writer)
        return SFTPCall(writer, answer: answer, isAbandonable: isAbandonable)
    }

    static func posixRename(_ old: [UInt8], to new: [UInt8]) -> SFTPCall {
        extended(.posixRename) {
            $0.append(string: old)
            $0.append(string: new)
        }.lengthy
    }

    static func hardlink(_ old: [UInt8], as new: [UInt8]) -> SFTPCall {
        extended(.hardlink) {
            $0.append(string: old)
            $0.append(string: new)
        }
    }

    static func fsync(_ handle: [UInt8]) -> SFTPCall {
        extended(.fsync) { $0.append(string: handle) }.lengthy
    }

    static func statvfs(_ path: [UInt8]) -> SFTPCall {
        extended(.statvfs, answer: .extendedReply, isAbandonable: true) { $0.append(string: path) }
    }

    static func lsetstat(_ path: [UInt8], _ attributes: SFTPAttributes) -> SFTPCall {
        extended(.lsetstat) {
            $0.append(string: path)
            $0.append(attributes)
        }
    }

    static func expandPath(_ path: [UInt8]) -> SFTPCall {
        extended(.expandPath, answer: .name, isAbandonable: true) { $0.append(string: path) }
    }

    static func homeDirectory(of user: [UInt8]) -> SFTPCall {
        extended(.homeDirectory, answer: .name, isAbandonable: true) { $0.append(string: user) }
    }

    static func copyData(
        _ source: [UInt8], at offset: Int64, count: Int64, to target: [UInt8], at position: Int64
    ) -> SFTPCall {
        extended(.copyData) {
            $0.append(string: source)
            $0.append(UInt64(offset))
            $0.append(UInt64(count))
            $0.append(string: target)
            $0.append(UInt64(position))
        }.lengthy
    }
}
