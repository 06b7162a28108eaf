import FileProviding
import Foundation

@testable import SFTPFiles

/// A server that answers as a test wants it to: for what no real server does on demand.
final class ScriptedTransport: SSHTransport {
    /// A request as it arrived.
    struct Request {
        let type: PacketType
        let id: UInt32
        let body: [UInt8]
    }

    /// What the server does with a request.
    enum Action {
        /// Sends bytes as they are.
        case send([UInt8])
        /// Sends nothing.
        case silence
        /// Hangs up behind these bytes.
        case hangUp(after: [UInt8])
    }

    private let greeting: [UInt8]
    private let answer: @Sendable (Request) -> Action

    /// - Parameters:
    ///   - greeting: what is sent in the place of a VERSION packet.
    ///   - answer: what every other request gets; REALPATH of the beginning is answered already.
    init(
        greeting: [UInt8] = ScriptedTransport.version(),
        answer: @escaping @Sendable (Request) -> Action = { _ in .silence }
    ) {
        self.greeting = greeting
        self.answer = answer
    }

    func connect(_ waker: Waker) throws -> any SSHChannel {
        let (ours, theirs) = try DescriptorChannel.socketPair()
        let (greeting, answer) = (greeting, answer)
        Thread.detachNewThread { Self.serve(theirs, greeting, answer) }
        return DescriptorChannel(ours)
    }

    private static func serve(
        _ socket: LocalFileHandle, _ greeting: [UInt8], _ answer: @Sendable (Request) -> Action
    ) {
        guard receive(4, socket) != nil, receive(5, socket) != nil, transmit(greeting, socket) else { return }
        var isFirst = true
        while let head = receive(4, socket) {
            let length = head.reduce(0) { $0 << 8 | Int($1) }
            guard let packet = receive(length, socket), let type = PacketType(rawValue: packet[0]) else { return }
            let id = packet[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if isFirst, type == .realpath {
                isFirst = false
                guard transmit(name(id, ["/home"]), socket) else { return }
                continue
            }
            switch answer(Request(type: type, id: id, body: Array(packet[5...]))) {
            case .send(let bytes): guard transmit(bytes, socket) else { return }
            case .silence: break
            case .hangUp(let bytes):
                _ = transmit(bytes, socket)
                return
            }
        }
    }

    private static func receive(_ count: Int, _ socket: LocalFileHandle) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return count == 0 || recv(socket.descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func transmit(_ bytes: [UInt8], _ socket: LocalFileHandle) -> Bool {
        bytes.isEmpty || send(socket.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

// MARK: Packets

extension ScriptedTransport {
    static func packet(_ type: PacketType, _ fields: [UInt8]) -> [UInt8] {
        number(1 + fields.count) + [type.rawValue] + fields
    }

    static func version(_ number: Int = 3, offering extensions: [SFTPExtension] = []) -> [UInt8] {
        let offers = extensions.flatMap { string(Array($0.rawValue.utf8)) + string(Array("1".utf8)) }
        return packet(.version, Self.number(number) + offers)
    }

    /// The greeting of OpenSSH's server, as far as it is known by it.
    static let openSSH = version(offering: [.limits, .lsetstat, .expandPath])

    static func status(_ id: UInt32, _ code: SFTPStatus.Code, _ words: String = "") -> [UInt8] {
        packet(.status, number(Int(id)) + number(Int(code.rawValue)) + string(Array(words.utf8)) + string([]))
    }

    static func handle(_ id: UInt32, _ handle: [UInt8] = [7]) -> [UInt8] {
        packet(.handle, number(Int(id)) + string(handle))
    }

    static func data(_ id: UInt32, _ bytes: [UInt8]) -> [UInt8] { packet(.data, number(Int(id)) + string(bytes)) }

    static func name(_ id: UInt32, _ names: [String]) -> [UInt8] {
        let entries = names.flatMap { string(Array($0.utf8)) + string([]) + number(0) }
        return packet(.name, number(Int(id)) + number(names.count) + entries)
    }

    /// An item of this size, a regular file unless told otherwise.
    static func attributes(_ id: UInt32, size: Int, mode: Int = 0o100644) -> [UInt8] {
        packet(.attributes, number(Int(id)) + number(5) + number(size >> 32) + number(size) + number(mode))
    }

    static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
    }
    static func string(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
}

extension SFTPFileProvider {
    /// A provider of a scripted server, with little patience.
    static func scripted(
        _ transport: ScriptedTransport, answerTimeout: Double = 20, maximumEntries: Int = 10_000
    ) -> SFTPFileProvider {
        var configuration = SFTPConfiguration(host: "scripted.example")
        configuration.ssh.answerTimeout = answerTimeout
        configuration.maximumEntries = maximumEntries
        return SFTPFileProvider(configuration: configuration, transport: transport)
    }
}
