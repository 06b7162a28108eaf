import CXML2
import FileProviding
import Foundation

/// Parses a multistatus (RFC 4918, section 13) as its bytes arrive, and delivers each response when it is complete.
///
/// It uses libxml2's push parser, without network, document types and entities. Memory does not grow with the reply as
/// long as the responses are taken.
package final class MultistatusParser: @unchecked Sendable {  // Used by one reader at a time, like any page decoder.
    /// The required root element of the reply.
    package enum Root: Sendable {
        /// The reply to PROPFIND, and the 207 to any other request.
        case multistatus
        /// The reply to a LOCK that succeeded: a single response with the lock's properties.
        case prop
        /// The body of a refusal: a single response with nothing but a problem.
        case error
    }

    /// The number of bytes parsed between two checks of the limits.
    private static let pieceLength = 64 << 10
    /// The number of bytes of the beginning that are kept to recognize an HTML page.
    private static let headLength = 1 << 10

    private let url: URL?
    private let context: xmlParserCtxtPtr
    private let assembler: UnsafeMutablePointer<MultistatusAssembler>
    /// The reply's beginning, until its root element.
    private var head: [UInt8] = []
    /// Bytes that are not parsed yet.
    private var tail: [UInt8] = []

    /// Creates a parser at the beginning of a reply.
    ///
    /// - Parameters:
    ///   - root: what the reply has to be; anything else is an error.
    ///   - others: properties without a field in ``DAVProperties`` to be kept as text; at most 127.
    ///   - url: where the reply comes from, for errors.
    package init(
        expecting root: Root = .multistatus, keeping others: [XMLName] = [],
        limits: MultistatusLimits = MultistatusLimits(), url: URL? = nil
    ) {
        self.url = url
        assembler = .allocate(capacity: 1)
        context = SAXEvents.makeParser(reportingTo: assembler)
        assembler.initialize(
            to: MultistatusAssembler(context: context, root: root.element, limits: limits, others: others))
    }

    deinit {
        xmlFreeParserCtxt(context)
        assembler.deinitialize(count: 1)
        assembler.deallocate()
    }

    /// Consumes the next bytes of the reply.
    ///
    /// - Throws: `URLError(.cannotParseResponse)` for anything but a well-formed multistatus within the limits. What
    ///   was complete before can still be taken.
    package func consume(_ bytes: UnsafeRawBufferPointer) throws {
        try throwFailure()
        if !assembler.pointee.hasRoot { head += bytes.prefix(Self.headLength - head.count) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceLength)
            rest = rest[piece.endIndex...]
            assembler.pointee.pendingBytes += piece.count
            parseTags(piece)
            assembler.pointee.checkLimits()
            try throwFailure()
        }
    }

    /// Consumes the next bytes of the reply. Throws as ``consume(_:)-(UnsafeRawBufferPointer)`` does.
    package func consume(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { try consume($0) }
    }

    /// Finishes the reply.
    ///
    /// - Throws: `URLError(.cannotParseResponse)` if it is not complete.
    package func finish() throws {
        try throwFailure()
        tail.withUnsafeBytes { parse($0) }
        xmlParseChunk(context, nil, 0, 1)
        if assembler.pointee.depth > 0 || !assembler.pointee.hasRoot { throw explained(.truncated) }
        try throwFailure()
    }

    /// Returns the responses that were completed since the last call.
    package func takeResponses() -> [MultistatusResponse] {
        defer { assembler.pointee.completed = [] }
        return assembler.pointee.completed
    }

    /// Parses up to the end of the last tag, and keeps the rest for the next call.
    ///
    /// libxml2 2.9 cannot recover from a bad character when its input ends within the next three bytes.
    private func parseTags(_ piece: Slice<UnsafeRawBufferPointer>) {
        var piece = piece
        if !tail.isEmpty, let first = piece.firstIndex(of: UInt8(ascii: ">")) {
            tail += piece[...first]
            tail.withUnsafeBytes { parse($0) }
            tail.removeAll(keepingCapacity: true)
            piece = piece[(first + 1)...]
        }
        if let last = piece.lastIndex(of: UInt8(ascii: ">")) {
            parse(UnsafeRawBufferPointer(rebasing: piece[...last]))
            piece = piece[(last + 1)...]
        }
        tail += piece
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) {
        xmlParseChunk(context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
    }

    private func throwFailure() throws {
        if let failure = assembler.pointee.failure { throw explained(failure) }
    }

    /// Returns the error for a failure. Before the root element, the reply's own text says more than what is wrong with
    /// it as XML.
    private func explained(_ failure: MultistatusFailure) -> URLError {
        if assembler.pointee.hasRoot { return failure.error(url) }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains("<html") || text.contains("<!doctype html") { return MultistatusFailure.html.error(url) }
        if text.allSatisfy(\.isWhitespace) { return MultistatusFailure.empty.error(url) }
        return (text.contains("<") ? failure : .notXML).error(url)
    }
}

extension MultistatusParser.Root {
    fileprivate var element: DAVElement {
        switch self {
        case .multistatus: .multistatus
        case .prop: .prop
        case .error: .error
        }
    }
}
