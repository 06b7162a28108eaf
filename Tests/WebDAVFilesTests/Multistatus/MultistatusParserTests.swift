import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct MultistatusParserTests {
    @Test func mergesSuccessfulPropstatsOnly() throws {
        let document = multistatus(
            "<D:href>/a%20b</D:href>",
            propstat("<D:getcontentlength>12</D:getcontentlength>"),
            propstat("<D:getetag>\"no\"</D:getetag><D:displayname/>", status: "404 Not Found"),
            propstat("<D:getcontenttype>a/b</D:getcontenttype>", status: "206 Partial"),
            propstat("<D:creationdate>1994-11-06</D:creationdate>", status: "403 Forbidden"),
            propstat("<D:ishidden>1</D:ishidden>", status: "404 Not Found"))
        let response = try responses(document)[0]
        #expect(response.reference == "/a%20b")
        #expect(response.status == nil)
        #expect(response.failedStatuses == [404, 403])
        #expect(!response.isProcessing)
        let expected = with(DAVProperties()) {
            $0.contentLength = 12
            $0.contentType = "a/b"
        }
        #expect(response.properties == expected)
    }

    @Test(arguments: ["\n<br />Warning: Undefined variable\n", "\0\0", "<!-- served by two -->\n"])
    func whatStandsBehindTheDocumentIsIgnored(rest: String) throws {
        let document = multistatus("<D:href>/a</D:href>", propstat("<D:getcontentlength>5</D:getcontentlength>"))
        #expect(try responses(document + rest).map(\.reference) == ["/a"])
    }

    @Test func failedPropstatBeforeSuccessfulOne() throws {
        let document = multistatus(
            "<D:href>/a</D:href>",
            propstat("<D:getetag>\"no\"</D:getetag>", status: "404 Not Found"),
            """
            <D:propstat><D:status>HTTP/1.1 200 OK</D:status><D:prop>\
            <D:getcontentlength>5</D:getcontentlength></D:prop></D:propstat>
            """)
        let response = try responses(document)[0]
        #expect(response.properties == with(DAVProperties()) { $0.contentLength = 5 })
        #expect(response.failedStatuses == [404])
    }

    @Test func tooEarlyIsUsableAndMarked() throws {
        let document = multistatus(
            "<D:href>/a</D:href>", propstat("<D:getcontentlength>5</D:getcontentlength>", status: "425 TOO EARLY"))
        let response = try responses(document)[0]
        #expect(response.isProcessing)
        #expect(response.failedStatuses.isEmpty)
        #expect(response.properties.contentLength == 5)
    }

    @Test func statusOfAResponseWithSeveralReferences() throws {
        let all = try responses(
            multistatus(
                """
                <D:href>/a/1</D:href><D:href>/a/2</D:href><D:status>HTTP/1.1 423 Locked</D:status>
                <D:error><D:lock-token-submitted><D:href>/a/1</D:href></D:lock-token-submitted></D:error>
                <D:responsedescription>held by “someone”</D:responsedescription>
                """))
        #expect(all.map(\.reference) == ["/a/1", "/a/2"])
        for response in all {
            #expect(response.status == 423)
            #expect(response.problem == DAVProblem(precondition: "lock-token-submitted", message: "held by “someone”"))
        }
    }

    @Test func namespacesNotPrefixes() throws {
        let document = """
            <multistatus xmlns="DAV:"><x:response xmlns:x="DAV:" xmlns:D="urn:other">\
            <href>/a</href><D:href>/wrong</D:href>\
            <x:propstat><prop><D:getetag>"wrong"</D:getetag><x:getetag>"right"</x:getetag>\
            <undeclared:getetag>"wrong"</undeclared:getetag><getetag xmlns="">"wrong"</getetag></prop>\
            <status>HTTP/1.1 200 OK</status></x:propstat></x:response></multistatus>
            """
        let all = try responses(document)
        #expect(all.map(\.reference) == ["/a"])
        #expect(all[0].properties.etag == ETag(rawValue: "\"right\""))
    }

    @Test func unknownElementsAtAnyDepth() throws {
        let document = multistatus(
            """
            <q:x xmlns:q="urn:q"><D:href>/no</D:href>
            <D:propstat><D:prop><D:getetag>no</D:getetag></D:prop></D:propstat></q:x>
            <D:href>/ri<!-- comment -->gh<?pi?>t</D:href>
            <D:propstat><D:unknown><D:prop><D:getetag>no</D:getetag></D:prop></D:unknown><D:prop>
            <D:acl><D:getcontentlength>1</D:getcontentlength></D:acl>
            <D:getcontentlength>2<D:b>3</D:b>4</D:getcontentlength></D:prop></D:propstat>
            """)
        let response = try responses(document)[0]
        #expect(response.reference == "/right")
        #expect(response.properties == with(DAVProperties()) { $0.contentLength = 24 })
    }

    @Test func characterDataReferencesAndEntities() throws {
        let read = try properties(
            """
            <D:getetag>&quot;a&#x26;b&quot;</D:getetag>
            <D:displayname><![CDATA[<a> & ]]>&amp;<![CDATA[b]]></D:displayname>
            """
        )
        #expect(read.etag == ETag(rawValue: "\"a&b\""))
        #expect(read.displayName == "<a> & &b")
    }

    @Test func otherPropertiesByName() throws {
        let names = [
            XMLName("tags", namespace: XMLName.nextcloud), XMLName("note", namespace: "urn:x"), XMLName("gone"),
        ]
        let read = try properties(
            """
            <n:tags xmlns:n="http://nextcloud.org/ns"><n:tag>a</n:tag>,<n:tag>b<i/>c</n:tag></n:tags>
            <note xmlns="urn:x"/><tags xmlns="urn:x">no</tags><D:getcontentlength>1</D:getcontentlength>
            """, keeping: names)
        #expect(read.other == [names[0]: "a,bc", names[1]: ""])
        #expect(read.contentLength == 1)
    }

    @Test(arguments: ["ISO-8859-1", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-8"])
    func declaredEncodings(name: String) throws {
        let text = multistatus("<D:href>/é</D:href><D:status>HTTP/1.1 404 No</D:status>")
            .replacing("version=\"1.0\"", with: "version=\"1.0\" encoding=\"\(name)\"")
        let encodings: [String: String.Encoding] = [
            "ISO-8859-1": .isoLatin1, "UTF-16LE": .utf16LittleEndian, "UTF-16BE": .utf16BigEndian,
        ]
        let document =
            switch name {
            case "UTF-16": Data([0xFF, 0xFE]) + text.data(using: .utf16LittleEndian)!
            case "UTF-8": Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)
            default: text.data(using: encodings[name]!)!
            }
        for pieces in [1, 2, 3, 7, .max] {
            let all = try responses(document, pieces: pieces)
            #expect(all.map(\.reference) == ["/é"], "\(name) in pieces of \(pieces)")
        }
    }

    @Test func emptyMultistatus() throws {
        #expect(try responses("<multistatus xmlns='DAV:'/>").isEmpty)
    }

    @Test func responsesComeWhileBytesArrive() throws {
        let parser = MultistatusParser()
        try parser.consume(
            Data("<multistatus xmlns='DAV:'><response><href>/1</href></response><response><href>/2".utf8))
        #expect(parser.takeResponses().map(\.reference) == ["/1"])
        #expect(parser.takeResponses().isEmpty)
        try parser.consume(Data("</href></response>".utf8))
        #expect(parser.takeResponses().map(\.reference) == ["/2"])
    }
}

/// A changed copy.
private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var copy = value
    change(&copy)
    return copy
}
