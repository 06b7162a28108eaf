/// A server's answer to a request that has no other, or that failed (section 7).
struct SFTPStatus: Error, Sendable, Equatable {
    /// The result of the request. Codes above 8 are from later drafts; some servers send them all the same.
    enum Code: UInt32, Sendable {
        case ok = 0
        case endOfFile = 1
        case noSuchFile = 2
        case permissionDenied = 3
        case failure = 4
        case badMessage = 5
        case noConnection = 6
        case connectionLost = 7
        case unsupported = 8
        case noSuchPath = 10
        case alreadyExists = 11
        case writeProtected = 12
        case noSpace = 14
        case quotaExceeded = 15
        case lockConflict = 17
        case invalidFileName = 20
        case notADirectory = 19
        case isADirectory = 24
    }

    /// The code as it was sent.
    let rawCode: UInt32
    /// The server's own message, shortened; may be empty.
    let message: String

    /// The meaning of the code; an unknown one is a failure.
    var code: Code { Code(rawValue: rawCode) ?? .failure }

    init(rawCode: UInt32, message: String = "") {
        self.rawCode = rawCode
        self.message = message
    }

    /// Parses a STATUS packet's fields. Old servers leave the message out.
    init(_ reader: inout PacketReader) throws(MalformedPacket) {
        rawCode = try reader.uint32()
        guard !reader.rest.isEmpty else {
            message = ""
            return
        }
        let text = String(decoding: try reader.slice().prefix(200), as: UTF8.self)
        message = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
