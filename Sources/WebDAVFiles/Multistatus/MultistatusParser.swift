import CXML2
import FileProviding
import Foundation

/// Reads a multistatus (RFC 4918, section 13) as its bytes arrive, and gives responses as they are complete.
///
/// libxml2's push parser, without network, document types and entities. Memory does not grow with the reply as long as
/// the responses are taken.
package final class MultistatusParser: @unchecked Sendable {  // Used by one reader at a time, like any page decoder.
    /// What the reply's root element has to be.
    package enum Root: Sendable {
        /// The reply to PROPFIND, and the 207 to any other request.
        case multistatus
        /// The reply to a LOCK that succeeded: a single response with the lock's properties.
        case prop
        /// The body of a refusal: a single response with nothing but a problem.
        case error
    }

    /// How much is parsed between two looks at the limits.
    private static let pieceLength = 64 << 10
    /// How much of the beginning is kept to tell a page in HTML.
    private static let headLength = 1 << 10

    private let url: URL?
    private let context: xmlParserCtxtPtr
    private let assembler: UnsafeMutablePointer<MultistatusAssembler>
    /// The reply's beginning, until its root element.
    private var head: [UInt8] = []
    /// Bytes that are not parsed yet.
    private var tail: [UInt8] = []

    /// A parser at the beginning of a reply.
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

    /// Takes the next bytes of the reply.
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

    /// Takes the next bytes of the reply. Throws like ``consume(_:)-(UnsafeRawBufferPointer)``.
    package func consume(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { try consume($0) }
    }

    /// Says that the reply is complete.
    ///
    /// - Throws: `URLError(.cannotParseResponse)` if it is not.
    package func finish() throws {
        try throwFailure()
        tail.withUnsafeBytes { parse($0) }
        xmlParseChunk(context, nil, 0, 1)
        if assembler.pointee.depth > 0 || !assembler.pointee.hasRoot { throw explained(.truncated) }
        try throwFailure()
    }

    /// The responses that were completed since the last call.
    package func takeResponses() -> [MultistatusResponse] {
        defer { assembler.pointee.completed = [] }
        return assembler.pointee.completed
    }

    /// Parses up to the end of the last tag, and keeps the rest for the next time.
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

    /// Before the root element, what the reply is says more than what is wrong with it as XML.
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
