import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct DAVRequestBodyTests {
    private let start = #"<?xml version="1.0" encoding="utf-8"?>"#

    private func text(_ body: Data) -> String { String(decoding: body, as: UTF8.self) }

    @Test func propfind() {
        let body = DAVRequestBody.propfind([.resourceType, .id], others: [XMLName("a", namespace: "urn:x&\"y")])
        #expect(
            text(body) == start + #"<d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype></d:resourcetype>"#
                + #"<x:id xmlns:x="http://owncloud.org/ns"></x:id><x:a xmlns:x="urn:x&amp;&quot;y"></x:a>"#
                + "</d:prop></d:propfind>"
        )
    }

    @Test func proppatch() {
        let body = DAVRequestBody.proppatch(
            set: [(DAVPropertyName.favorite.name, "1"), (DAVPropertyName.displayName.name, "<&>\"\u{1}\r\n\té")],
            remove: [XMLName("gone")])
        #expect(
            text(body) == start + #"<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop>"#
                + #"<x:favorite xmlns:x="http://owncloud.org/ns">1</x:favorite>"#
                + "<d:displayname>&lt;&amp;&gt;&quot;\u{FFFD}&#13;\n\té</d:displayname></d:prop></d:set>"
                + "<d:remove><d:prop><d:gone></d:gone></d:prop></d:remove></d:propertyupdate>")
    }

    @Test func lockInfo() {
        let lock = "<d:lockscope><d:exclusive></d:exclusive></d:lockscope><d:locktype><d:write></d:write></d:locktype>"
        let open = start + #"<d:lockinfo xmlns:d="DAV:">"#
        #expect(text(DAVRequestBody.lockInfo(owner: nil)) == "\(open)\(lock)</d:lockinfo>")
        #expect(
            text(DAVRequestBody.lockInfo(owner: "A & B")) == "\(open)\(lock)<d:owner>A &amp; B</d:owner></d:lockinfo>")
    }

    /// What is asked for is what the parser knows: each name comes back in the field or under the name.
    @Test func everyKnownNameIsParsed() throws {
        let names = DAVPropertyName.allCases
        #expect(Set(names.map(\.name)).count == names.count)
        let sent = text(DAVRequestBody.propfind(names))
        for name in names { #expect(sent.contains(":\(name.name.localName)")) }
    }
}
