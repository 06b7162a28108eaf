import FileProviding
import Foundation
import Testing

@Suite struct ItemNameTests {
    @Test func textIsExactOrNone() throws {
        #expect(try ItemName(validating: "é").exactText == "é" && ItemName(validating: [0xFF]).exactText == nil)
        #expect(("a/b" as ItemPath).exactText == "/a/b" && ItemPath.root.exactText == "/")
        #expect(("id:7" as ItemPath).exactText == "id:7")
        #expect(try ItemPath(validatingBytes: [0x61, 0x2F, 0xFF]).exactText == nil)
    }

    @Test(arguments: ["", ".", "..", "a/b", "/", "a\0"])
    func refusesWhatIsNoName(text: String) {
        let error = #expect(throws: CocoaError.self) { try ItemName(validating: text) }
        #expect(error?.code == .fileReadInvalidFileName)
    }

    @Test(arguments: ["a", "...", "..a", " ", "\n", "%2e", "a.", "~", "*"])
    func takesEverythingElse(text: String) throws {
        #expect(try ItemName(validating: text).text == text)
    }

    @Test func comparesBytes() throws {
        let (composed, decomposed) = (try ItemName(validating: "\u{E9}"), try ItemName(validating: "e\u{301}"))
        #expect(composed != decomposed && decomposed < composed)
        #expect(try ItemName(validating: "a") < ItemName(validating: "aa"))
    }

    @Test(arguments: [
        ("a.txt", "txt"), ("a.TXT", "txt"), ("a.tar.gz", "gz"), (".hidden", ""), (".hidden.md", "md"), ("a.", ""),
        ("a", ""),
        ("...", ""),
    ])
    func knowsTheExtension(name: String, pathExtension: String) throws {
        #expect(try ItemName(validating: name).pathExtension == pathExtension)
    }

    @Test func knowsWhatIsHidden() throws {
        #expect(try ItemName(validating: ".a").isHidden && !ItemName(validating: "a.").isHidden)
    }

    @Test(arguments: [[0xC3, 0xA9], [0xFF, 0x01], [0x61]] as [[UInt8]])
    func isCodedWithoutLoss(bytes: [UInt8]) throws {
        let name = try ItemName(validating: bytes)
        #expect(try JSONDecoder().decode([ItemName].self, from: JSONEncoder().encode([name])) == [name])
    }

    @Test func textIsCodedAsText() throws {
        let coded = try JSONEncoder().encode([ItemName(validating: "name")])
        #expect(String(decoding: coded, as: UTF8.self) == #"["name"]"#)
    }

    @Test func decodingValidates() {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ItemName].self, from: Data(#"["a/b"]"#.utf8)) }
    }
}
