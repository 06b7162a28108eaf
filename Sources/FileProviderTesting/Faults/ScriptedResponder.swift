import FileProviding
import Foundation

/// An HTTP server on loopback that answers each request with exactly the bytes, pauses and cuts of a script.
///
/// It is for replies that no correct server gives. It reads requests correctly (lengths, chunked bodies, `Expect:
/// 100-continue`) and keeps them for the test to inspect.
///
/// ```swift
/// let server = try ScriptedResponder { request in
///     request.index == 0 ? .reply(503, headers: [("Retry-After", "1")]) : .reply(200, body: "hello")
/// }
/// // … server.url …
/// #expect(server.requests.count == 2)
/// ```
public final class ScriptedResponder: Sendable {
    /// The answer to one request, in order. After that the connection waits for its next request, unless a step ended
    /// it.
    public struct Script: Sendable {
        /// The steps in order.
        public var steps: [Step]

        /// Creates a script from these steps.
        public init(_ steps: [Step]) { self.steps = steps }
    }

    /// One step of a script.
    public enum Step: Sendable {
        /// Sends these bytes.
        case send(Data)
        /// Sends the bytes this many times.
        case flood(Data, times: Int)
        /// Sends the bytes in pieces, with a pause after each.
        case trickle(Data, pieceSize: Int, pause: Double)
        /// Does nothing for this many seconds, or until the peer closes the connection.
        case pause(Double)
        /// Sends nothing more until the peer closes the connection.
        case hang
        /// Closes the connection normally.
        case close
        /// Closes the connection with an error (RST).
        case reset
    }

    private struct State {
        var requests: [ScriptedRequest] = []
    }

    private let listener: LoopbackListener
    private let state: Locked<State>

    /// Starts to listen on a free port.
    ///
    /// - Parameters:
    ///   - readsBodies: whether a request's body is read, after `100 Continue` if requested, before the script decides.
    ///     Otherwise the script sees only the head, and the connection ends after its reply.
    ///   - script: returns the answer. Called on threads of the responder.
    public init(readsBodies: Bool = true, _ script: @escaping @Sendable (ScriptedRequest) -> Script) throws {
        let state = Locked(State())
        self.state = state
        listener = try LoopbackListener { descriptor, number in
            let connection = Connection(descriptor: descriptor)
            var reader = RequestReader(connection, number: number)
            while var request = reader.next(readsBody: readsBodies) {
                state.withLock { state in
                    request.index = state.requests.count
                    state.requests.append(request)
                }
                guard connection.play(script(request)), readsBodies || request.isBodiless else { return }
            }
        }
    }

    /// The root of the server: `http://127.0.0.1:PORT/`.
    public var url: URL { URL(string: "http://127.0.0.1:\(listener.port)/")! }

    /// The port on 127.0.0.1.
    public var port: Int { listener.port }

    /// The requests so far, in the order in which they were read.
    public var requests: [ScriptedRequest] { state.withLock { $0.requests } }

    /// The number of connections so far.
    public var connectionCount: Int { listener.connectionCount }

    /// Ends all connections; new ones are refused.
    public func stop() { listener.stop() }
}

extension ScriptedResponder.Script {
    /// Returns a script of a correct reply with its length.
    public static func reply(_ status: Int, headers: [(String, String)] = [], body: String = "") -> Self {
        reply(status, headers: headers, data: Data(body.utf8))
    }

    /// Returns a script of a correct reply with its length.
    public static func reply(_ status: Int, headers: [(String, String)] = [], data: Data) -> Self {
        let length = [204, 304].contains(status) ? [] : [("Content-Length", String(data.count))]
        return head(status, headers: headers + length).then(.send(data))
    }

    /// Returns a script of a reply's head alone, followed by an empty line.
    public static func head(_ status: Int, headers: [(String, String)] = []) -> Self {
        let lines = ["HTTP/1.1 \(status) Scripted"] + headers.map { "\($0): \($1)" }
        return raw(lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Returns a script that sends this text, whatever it is.
    public static func raw(_ text: String) -> Self { Self([.send(Data(text.utf8))]) }

    /// Returns this script followed by a step.
    public func then(_ step: ScriptedResponder.Step) -> Self { Self(steps + [step]) }

    /// Returns this script followed by this text.
    public func then(_ text: String) -> Self { then(.send(Data(text.utf8))) }
}

extension Connection {
    /// Plays a script; returns whether the connection continues.
    fileprivate func play(_ script: ScriptedResponder.Script) -> Bool {
        script.steps.allSatisfy { step in
            switch step {
            case .send(let data): return write(data)
            case .flood(let data, let times): return (0..<times).allSatisfy { _ in write(data) }
            case .trickle(let data, let size, let pause):
                return stride(from: 0, to: data.count, by: size).allSatisfy { start in
                    write(data.dropFirst(start).prefix(size)) && wait(seconds: pause)
                }
            case .pause(let seconds): return wait(seconds: seconds)
            case .hang:
                waitForEnd()
                return false
            case .close: return false
            case .reset:
                reset()
                return false
            }
        }
    }
}
