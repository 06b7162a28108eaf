/// An answer, copied out of its packet. A file's data mostly is not: it is passed on in place.
enum SFTPReply: Sendable {
    case status(SFTPStatus)
    case handle([UInt8])
    case names([NameEntry])
    case attributes(SFTPAttributes)
    case extended([UInt8])
    case data([UInt8])

    /// An entry of a NAME packet.
    struct NameEntry: Sendable {
        let name: [UInt8]
        let attributes: SFTPAttributes
    }

    /// Decodes a packet's body after its number.
    init(_ type: PacketType, _ body: UnsafeRawBufferPointer) throws(MalformedPacket) {
        var reader = PacketReader(body)
        switch type {
        case .status: self = .status(try SFTPStatus(&reader))
        case .handle:
            let handle = try reader.string()
            guard handle.count <= PacketLimits.handle else { throw MalformedPacket(reason: "a handle is too long") }
            self = .handle(handle)
        case .name: self = .names(try Self.names(&reader))
        case .attributes: self = .attributes(try reader.attributes())
        case .data: self = .data(try reader.string())
        case .extendedReply: self = .extended(Array(reader.rest))
        default: throw MalformedPacket(reason: "a packet of kind \(type.rawValue) came as a reply")
        }
    }

    private static func names(_ reader: inout PacketReader) throws(MalformedPacket) -> [NameEntry] {
        let count = Int(try reader.uint32())
        // Two strings and the attributes' flags: no entry is shorter than twelve bytes.
        guard count <= reader.rest.count / 12 else { throw MalformedPacket(reason: "a list of names is cut short") }
        var entries: [NameEntry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let name = try reader.string()
            _ = try reader.slice()
            entries.append(NameEntry(name: name, attributes: try reader.attributes()))
        }
        return entries
    }
}

extension SFTPReply {
    /// Throws the status unless it reports success.
    func confirm() throws(SFTPStatus) {
        if case .status(let status) = self, status.code != .ok { throw status }
    }

    func handle() throws(SFTPStatus) -> [UInt8] {
        if case .handle(let handle) = self { return handle }
        throw refusal
    }

    func attributes() throws(SFTPStatus) -> SFTPAttributes {
        if case .attributes(let attributes) = self { return attributes }
        throw refusal
    }

    func names() throws(SFTPStatus) -> [NameEntry] {
        if case .names(let names) = self { return names }
        throw refusal
    }

    /// Returns where an item leads, if this answers the READLINK of it and it is a link. Some servers answer for
    /// everything, with its own path (copyparty).
    func target(of place: [UInt8]) -> [UInt8]? {
        guard case .names(let names) = self, let target = names.first?.name, target != place else { return nil }
        return target
    }

    func extended() throws(SFTPStatus) -> [UInt8] {
        if case .extended(let bytes) = self { return bytes }
        throw refusal
    }

    /// The error to throw when another answer was needed.
    private var refusal: SFTPStatus {
        if case .status(let status) = self, status.code != .ok { return status }
        return SFTPStatus(
            rawCode: SFTPStatus.Code.failure.rawValue, message: "the server reported success, but returned nothing")
    }
}
