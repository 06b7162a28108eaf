import Foundation

/// Parses an event stream (HTML Living Standard, section 9.2) as its bytes arrive.
struct ServerSentEvents: Sendable {
    /// One event.
    struct Event: Sendable, Equatable {
        /// The last `id` that was sent, for continuing after an interruption.
        var id: String?
        /// The event's name; `message` if the stream does not specify one.
        var name: String
        /// The lines of `data`, joined.
        var data: String
    }

    /// No legitimate server sends a line or an event longer than this.
    private static let limit = 1 << 20

    private var line: [UInt8] = []
    private var sawReturn = false
    private var name = ""
    private var data: [String] = []
    private var dataLength = 0
    private var id: String?

    /// Consumes the next bytes; returns the events that are complete now.
    ///
    /// - Throws: `URLError(.dataLengthExceedsMaximum)` for an endless line or event.
    mutating func consume(_ bytes: Data) throws -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { sawReturn = byte == 13 }
            if byte == 10, sawReturn { continue }
            guard byte == 10 || byte == 13 else {
                guard line.count < Self.limit else { throw URLError(.dataLengthExceedsMaximum) }
                line.append(byte)
                continue
            }
            if let event = try endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() throws -> Event? {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        guard !text.isEmpty else { return dispatch() }
        let field = text.prefix { $0 != ":" }
        var value = text.dropFirst(field.count + 1)
        if value.first == " " { value = value.dropFirst() }
        switch field {
        case "event": name = String(value)
        case "data":
            dataLength += value.utf8.count + 1
            guard dataLength <= Self.limit else { throw URLError(.dataLengthExceedsMaximum) }
            data.append(String(value))
        case "id": if !value.contains("\0") { id = String(value) }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer { (name, data, dataLength) = ("", [], 0) }
        guard !data.isEmpty else { return nil }
        return Event(id: id, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
}
