import Foundation

/// A request as a ``ScriptedResponder`` read it.
public struct ScriptedRequest: Sendable {
    /// The method.
    public var method: String
    /// The target as it was sent: path and query, or a whole URL from a client that uses the responder as its proxy.
    public var target: String
    /// The header fields in order.
    public var headers: [(name: String, value: String)]
    /// The body, decoded if it was chunked.
    public var body = Data()
    /// Whether the body ended correctly.
    public var isComplete = true
    /// The number of the connection, from 0.
    public var connection: Int
    /// The number of the request over all connections, from 0.
    public var index = 0

    /// The first value of a header field, with case-insensitive lookup.
    public subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the head announces no body.
    public var isBodiless: Bool { self["Transfer-Encoding"] == nil && (self["Content-Length"] ?? "0") == "0" }
}

/// Reads requests from a connection, one after another.
struct RequestReader {
    private let connection: Connection
    private let number: Int
    private var buffer = Data()

    init(_ connection: Connection, number: Int) {
        self.connection = connection
        self.number = number
    }

    /// Returns the next request, or `nil` when the peer closed the connection or does not use HTTP.
    mutating func next(readsBody: Bool) -> ScriptedRequest? {
        guard let head = take(through: "\r\n\r\n"), var request = parse(head) else { return nil }
        guard readsBody, !request.isBodiless else { return request }
        if request["Expect"]?.lowercased() == "100-continue" {
            guard connection.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
        }
        if request["Transfer-Encoding"] != nil {
            request.isComplete = readChunks(into: &request.body)
        } else {
            let length = Int(request["Content-Length"] ?? "") ?? 0
            request.body = take(length)
            request.isComplete = request.body.count == length
        }
        return request
    }

    private func parse(_ head: Data) -> ScriptedRequest? {
        var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return ScriptedRequest(
            method: String(words[0]), target: String(words[1]), headers: headers, connection: number)
    }

    private mutating func readChunks(into body: inout Data) -> Bool {
        while let line = take(through: "\r\n") {
            let digits = String(decoding: line, as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16) else { return false }
            let chunk = take(size)
            body.append(chunk)
            guard chunk.count == size, take(through: "\r\n") != nil else { return false }
            if size == 0 { return true }
        }
        return false
    }

    /// Returns this many bytes, or as many as came before the end.
    private mutating func take(_ count: Int) -> Data {
        while buffer.count < count, let more = connection.read() { buffer.append(more) }
        let taken = Data(buffer.prefix(count))
        buffer = Data(buffer.dropFirst(taken.count))
        return taken
    }

    private mutating func take(through mark: String) -> Data? {
        var searched = 0
        while true {
            if let found = buffer.range(of: Data(mark.utf8), in: searched..<buffer.count) {
                return take(found.upperBound)
            }
            searched = max(0, buffer.count - mark.utf8.count)
            guard let more = connection.read() else { return nil }
            buffer.append(more)
        }
    }
}
