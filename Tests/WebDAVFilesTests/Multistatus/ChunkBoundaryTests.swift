import Foundation
import TestSupport
import Testing

@testable import WebDAVFiles

@Suite struct ChunkBoundaryTests {
    /// A little of everything that a boundary can cut: tokens, entities, multi-byte characters, CDATA, comments.
    private static let document = Data(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- é -->
        <D:multistatus xmlns:D="DAV:" xmlns:o='http://owncloud.org/ns'>\r
        <D:response><D:href>/日本/%C3%A9 &amp; &#x1F980;</D:href><D:propstat><D:prop>
        <D:resourcetype><D:collection/></D:resourcetype><D:getetag>&quot;🦀&quot;</D:getetag>
        <o:checksums><o:checksum>SHA1:00 MD5:11</o:checksum></o:checksums>
        <D:displayname><![CDATA[a]]b]]>]]&gt;<?pi x?></D:displayname></D:prop><D:status>HTTP/1.1 200 OK</D:status>
        </D:propstat><D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status>
        </D:propstat></D:response><x y="&lt;>'" xmlns="urn:x"/></D:multistatus>

        """.utf8)

    @Test func everySplitPoint() throws {
        let expected = try responses(Self.document)
        #expect(expected.map(\.reference) == ["/日本/%C3%A9 & 🦀"])
        #expect(expected[0].properties.displayName == "a]]b]]>")
        for split in 0...Self.document.count {
            let parser = MultistatusParser()
            try parser.consume(Self.document.prefix(split))
            try parser.consume(Self.document.dropFirst(split))
            try parser.finish()
            #expect(parser.takeResponses() == expected, "split at \(split)")
        }
    }

    @Test func everyPieceLength() throws {
        let expected = try responses(Self.document)
        for length in 1...Self.document.count {
            #expect(try responses(Self.document, pieces: length) == expected, "pieces of \(length)")
        }
    }

    @Test(arguments: Fixture.names)
    func realReplies(name: String) throws {
        let document = try Fixture.body(name)
        let expected = try responses(document)
        #expect(!expected.isEmpty)
        for length in [1, 2, 3, 5, 13, 101, 1021, 4093] {
            #expect(try responses(document, pieces: length) == expected, "pieces of \(length)")
        }
    }

    @Test func everyTruncationIsAnError() throws {
        let end = Self.document.count - 2  // The line ends behind the root element.
        for count in 0..<end {
            #expect(throws: URLError.self, "\(count) bytes") { try responses(Self.document.prefix(count)) }
        }
    }

    /// Damaged documents give responses or an error, never a crash or a hang; the same in any pieces.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sources = try [Self.document] + Fixture.names.map(Fixture.body)
        for round in 0..<150 {
            var document = Data(sources.randomElement(using: &random)!.prefix(6000))
            for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&document, using: &random) }
            let whole = try? responses(document)
            let pieces = try? responses(document, pieces: Int.random(in: 1...64, using: &random))
            #expect(whole == pieces, "seed \(seed), round \(round)")
        }
    }

    private func damage(_ document: inout Data, using random: inout SeededGenerator) {
        guard document.count > 2 else { return }
        let start = Int.random(in: 0..<document.count - 1, using: &random)
        let range = start..<min(document.count, start + Int.random(in: 1...20, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: document[start] = UInt8.random(in: 0...255, using: &random)
        case 1: document.removeSubrange(range)
        case 2: document.insert(contentsOf: document[range], at: Int.random(in: 0..<document.count, using: &random))
        case 3: document = document.prefix(start)
        default:
            let tokens = [
                "<", ">", "</D:response>", "<![CDATA[", "]]>", "&", "&#0;", "<!--", "\0", "\u{1}", "<D:href>", "é",
            ]
            document.insert(contentsOf: tokens.randomElement(using: &random)!.utf8, at: start)
        }
    }
}
