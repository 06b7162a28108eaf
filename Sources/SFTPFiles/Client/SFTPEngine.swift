import FileProviding
import Foundation

/// The life of one connection on its own thread: sends requests as they come, without waiting for answers, and passes
/// every answer to its caller.
///
/// Everything here is used by that thread alone; other threads leave jobs in the mailbox.
final class SFTPEngine {
    /// Handles an answer that is still in the receive buffer, or the error that ended the connection.
    typealias Handler = (Result<Answer, any Error>) throws(MalformedPacket) -> Void

    /// A reply's type and the bytes after its number, valid during the call.
    struct Answer {
        let type: PacketType
        let body: UnsafeRawBufferPointer
    }

    private struct Pending {
        let expected: PacketType
        let isLengthy: Bool
        let handler: Handler
        /// The path of what the request opens.
        var opened: [UInt8]?
    }

    /// How long a server may owe an answer without accepting anything or sending at the lowest rate.
    private let patience: Duration
    /// The factor by which the patience is longer while the server's disk has to store everything that was sent, or
    /// while the server copies a whole file, as object stores do to rename one.
    private static let lengthy = 10
    /// The rate, in bytes per second, at which a packet has to arrive: more than the answers to keep-alives.
    private static let lowestRate = 100.0
    /// The time without requests after which the connection ends.
    private let idleLimit: Duration?
    private let url: URL
    private let channel: any SSHChannel
    private var pending: [UInt32: Pending] = [:]
    private var lastID: UInt32 = 0
    /// The open handles, and the paths of what they stand for.
    private var handles: [[UInt8]: [UInt8]] = [:]
    private var outgoing = OutgoingQueue()
    private var incoming = PacketAssembler()
    /// When the server last sent or accepted something.
    private var lastSign = ContinuousClock.now
    /// The number of bytes that had arrived by then.
    private var receivedByThen = 0
    private var lastRequest = ContinuousClock.now
    private var failure: (any Error)?
    private var onVersion: Handler?
    /// A request that was sent while no other was in flight.
    private var lone: UInt32?
    private let onRoundTrip: (Duration) -> Void
    private let log: RequestLog

    /// - Parameter onRoundTrip: called with the duration of a request that was the only one in flight.
    init(
        _ channel: any SSHChannel, url: URL, patience: Duration, idleLimit: Duration? = nil,
        onRoundTrip: @escaping (Duration) -> Void = { _ in }
    ) {
        self.channel = channel
        self.url = url
        self.patience = patience
        self.idleLimit = idleLimit
        self.onRoundTrip = onRoundTrip
        log = RequestLog(url)
    }

    /// Sends a request; `handler` receives the answer, on this thread.
    func send(_ call: SFTPCall, then handler: @escaping Handler) {
        if let failure {
            try? handler(.failure(failure))
            return
        }
        var call = call
        repeat { lastID &+= 1 } while pending[lastID] != nil
        PacketHeader.set(id: lastID, in: &call.packet)
        if pending.isEmpty {
            noteSign()
            lastRequest = lastSign
            lone = lastID
        }
        var request = Pending(expected: call.answer, isLengthy: call.isLengthy, handler: handler)
        switch call.opening {
        case .opens(let path): request.opened = path
        case .closes(let handle): handles[handle] = nil
        case nil: break
        }
        pending[lastID] = request
        outgoing.append(call.packet)
        log.note(call.packet)
    }

    /// Sends the version that we support; the answer's body begins with the server's.
    func sendInitialize(then handler: @escaping Handler) {
        onVersion = handler
        noteSign()
        outgoing.append([0, 0, 0, 5, PacketType.initialize.rawValue, 0, 0, 0, 3])
    }

    /// Works until the connection ends.
    ///
    /// - Parameters:
    ///   - mailbox: where jobs come from. Not kept: it keeps this engine afterwards, to answer late ones.
    ///   - willEnd: called with the reason before those who wait for answers are resumed, so that whoever tries again
    ///     knows of the end.
    func run(_ mailbox: ConnectionMailbox, willEnd: (any Error) -> Void) {
        var closing: ContinuousClock.Instant?
        while failure == nil {
            for job in mailbox.take() { job(self) }
            if mailbox.isClosed {
                let deadline = closing ?? (.now + .seconds(2))
                closing = deadline
                if (pending.isEmpty && outgoing.isEmpty) || .now > deadline { break }
            }
            guard failure == nil, !advance(), failure == nil else { continue }
            if isIdle, mailbox.retire() { break }
            if isOverdue { fail(.timedOut, "no answer for \(silence.components.seconds) seconds") }
            waitForMore(mailbox)
        }
        let ending = failure ?? urlError(url, code: .networkConnectionLost, reason: "the connection was closed")
        failure = ending
        channel.close()
        willEnd(ending)
        answerAll(ending)
    }

    /// Ends the connection because of a malformed packet.
    func fail(_ malformed: MalformedPacket) { fail(.cannotParseResponse, malformed.reason) }

    private func fail(_ code: URLError.Code, _ reason: String) {
        fail(urlError(url, code: code, reason: reason))
    }

    private func fail(_ error: any Error) { if failure == nil { failure = error } }

    private var isWaiting: Bool { !pending.isEmpty || onVersion != nil }
    private var silence: Duration { .now - lastSign }

    private func noteSign() { (lastSign, receivedByThen) = (.now, channel.received) }

    private var isOverdue: Bool {
        let silence = silence
        guard isWaiting, silence > patience else { return false }
        // A long packet may take its time on a slow line.
        if Double(channel.received - receivedByThen) >= Self.lowestRate * (silence / .seconds(1)) {
            noteSign()
            return false
        }
        // A user may be entering a password; a server that never sends a greeting is given up all the same.
        if onVersion != nil, channel.mayAskFirst { return silence > max(patience * Self.lengthy, .seconds(300)) }
        return silence > patience * Self.lengthy || !pending.values.contains(where: \.isLengthy)
    }

    private var isIdle: Bool {
        guard let idleLimit, !isWaiting, outgoing.isEmpty else { return false }
        return .now - max(lastRequest, lastSign) >= idleLimit
    }

    private func waitForMore(_ mailbox: ConnectionMailbox) {
        let milliseconds: Int32 = isWaiting || mailbox.isClosed || idleLimit != nil ? 1_000 : 15_000
        let began = ContinuousClock.now
        channel.wait(toWrite: !outgoing.isEmpty, mailbox.waker, milliseconds: milliseconds)
        mailbox.waker.clear()
        if !isWaiting, .now - began >= .seconds(15) { channel.keepAlive() }
    }

    /// Writes and reads as much as possible; returns whether anything was transferred. What is read may allow more
    /// writes, and cause new requests.
    private func advance() -> Bool {
        do {
            // First a packet that is partly sent: libssh2 sends nothing of its own before its rest.
            let sent = try send()
            let received = try receive()
            return try send() || received || sent
        } catch let malformed as MalformedPacket {
            fail(malformed)
        } catch {
            fail(error)
        }
        return false
    }

    private func send() throws -> Bool {
        guard try !outgoing.isEmpty && outgoing.send({ try channel.write($0) }) else { return false }
        noteSign()
        return true
    }

    private func receive() throws -> Bool {
        guard let count = try channel.read(into: incoming.free()) else {
            throw channel.ending ?? urlError(url, code: .networkConnectionLost, reason: "the server hung up")
        }
        guard count > 0 else { return false }
        noteSign()
        incoming.didFill(count)
        while let packet = try incoming.next() { try dispatch(packet) }
        return true
    }

    private func dispatch(_ packet: UnsafeRawBufferPointer) throws(MalformedPacket) {
        var reader = PacketReader(packet)
        let number = try reader.byte()
        guard let type = PacketType(rawValue: number) else {
            throw MalformedPacket(reason: "a packet of the unknown kind \(number)")
        }
        if type == .version {
            guard let handler = onVersion.take() else { throw MalformedPacket(reason: "a second greeting") }
            return try handler(.success(Answer(type: type, body: reader.rest)))
        }
        let id = try reader.uint32()
        guard let request = pending.removeValue(forKey: id) else {
            throw MalformedPacket(reason: "an answer to a request that was never made")
        }
        guard type == request.expected || type == .status else {
            // Put it back, so that the caller learns that the connection ended.
            pending[id] = request
            throw MalformedPacket(reason: "a packet of kind \(number) answers where \(request.expected) was due")
        }
        if id == lone {
            lone = nil
            onRoundTrip(.now - lastRequest)
        }
        do {
            if type == .handle, let opened = request.opened { try note(reader.rest, of: opened) }
            try request.handler(.success(Answer(type: type, body: reader.rest)))
        } catch {
            pending[id] = request
            throw error
        }
    }

    /// Records an open handle. What is written to one that stands for two files may become part of either, as on
    /// Erlang's server.
    private func note(_ answer: UnsafeRawBufferPointer, of opened: [UInt8]) throws(MalformedPacket) {
        var reader = PacketReader(answer)
        let other = handles.updateValue(opened, forKey: try reader.string())
        guard other ?? opened == opened else {
            throw MalformedPacket(reason: "the server has given two files one handle: it can have only one open")
        }
    }

    private func answerAll(_ error: any Error) {
        let waiting = pending.sorted { $0.key < $1.key }.map(\.value.handler)
        pending = [:]
        for handler in waiting { try? handler(.failure(error)) }
        if let handler = onVersion.take() { try? handler(.failure(error)) }
    }
}
