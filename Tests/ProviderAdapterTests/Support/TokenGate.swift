import FileProviderTesting
import FileProviding
import Foundation

/// Stands before a real server and lets in who has the present access token; sells the next one for the present refresh
/// token, each of which is good for once (RFC 6749, section 6).
final class TokenGate: Sendable {
    private struct State {
        var generation = 0
        /// How many requests the present access token is still good for.
        var lifetime = Int.max
        /// Whether renewals are refused with 503.
        var isInTrouble = false
        var renewals: [Int] = []
    }

    private let state: Locked<State>
    private let responder: ScriptedResponder

    /// - Parameter port: the server's on 127.0.0.1.
    init(to port: Int) throws {
        let state = Locked(State())
        self.state = state
        responder = try ScriptedResponder { request in
            if request.target == "/token" { return Self.renewal(request, state) }
            let isLetIn = state.withLock { state in
                guard request["Authorization"] == "Bearer access \(state.generation)", state.lifetime > 0 else {
                    return false
                }
                state.lifetime -= 1
                return true
            }
            if !isLetIn { return .reply(401, headers: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")]) }
            guard let reply = request.reply(from: port) else { return .reply(502) }
            return ScriptedResponder.Script([.send(reply), .close])
        }
    }

    /// The gate's root.
    var url: URL { responder.url }

    /// What an account has been granted: the present tokens.
    var credential: Credential {
        let number = state.withLock { $0.generation }
        return .oauth2(
            OAuth2Token(
                accessToken: "access \(number)", refreshToken: "refresh \(number)",
                tokenEndpoint: url.appending(path: "token")))
    }

    /// How each renewal was answered, in order.
    var renewals: [Int] { state.withLock { $0.renewals } }

    /// Lets the present access token end after so many requests, and renewals meet trouble or not.
    func expire(after requests: Int, isInTrouble: Bool = false) {
        state.withLock { ($0.lifetime, $0.isInTrouble) = (requests, isInTrouble) }
    }

    private static func renewal(_ request: ScriptedRequest, _ state: Locked<State>) -> ScriptedResponder.Script {
        let form = String(decoding: request.body, as: UTF8.self)
        let (status, number) = state.withLock { state in
            let isGranted = form.contains("refresh_token=refresh%20\(state.generation)")
            let status = state.isInTrouble ? 503 : isGranted ? 200 : 400
            if status == 200 { (state.generation, state.lifetime) = (state.generation + 1, .max) }
            state.renewals.append(status)
            return (status, state.generation)
        }
        switch status {
        case 200:
            return .reply(
                200, headers: [("Content-Type", "application/json")],
                body: "{\"access_token\": \"access \(number)\", \"refresh_token\": \"refresh \(number)\"}")
        case 400: return .reply(400, body: "{\"error\": \"invalid_grant\"}")
        default: return .reply(503)
        }
    }
}

extension ScriptedRequest {
    /// The whole reply of the server behind the gate, as it came.
    fileprivate func reply(from port: Int) -> Data? {
        let dropped: Set = ["authorization", "connection", "content-length", "transfer-encoding", "expect"]
        var head = "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n"
        for (name, value) in headers where !dropped.contains(name.lowercased()) { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        guard let server = Connection.open(port: port) else { return nil }
        defer { server.end() }
        guard server.write(Data(head.utf8) + body) else { return nil }
        var reply = Data()
        while let piece = server.read() { reply += piece }
        return reply
    }
}
