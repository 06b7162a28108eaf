import FileProviding
import Foundation
import Testing

@Suite struct ItemPathTests {
    @Test(arguments: [
        ("", "/"), ("/", "/"), (".", "/"), ("a", "/a"), ("/a", "/a"), ("a/b", "/a/b"), ("a/", "/a"), ("/a/b/", "/a/b"),
        ("a/./b", "/a/b"), ("a/../b", "/b"), ("a/..", "/"), ("a/b/../..", "/"), ("...", "/..."), ("..a/b", "/..a/b"),
        ("%2e%2e", "/%2e%2e"), ("a b", "/a b"), ("/id:abcd", "/id:abcd"), ("a/id:abcd", "/a/id:abcd"),
    ])
    func textBecomesPath(text: String, path: String) throws {
        #expect(try ItemPath(validating: text).description == path)
        #expect(try !ItemPath(validating: text).isIdentifier)
    }

    @Test(arguments: ["//", "//x", "/a//b", "a//", "..", "../x", "a/../../x", "/..", "a\0b"])
    func refusesWhatLeavesTheRootOrIsNoName(text: String) {
        #expect(throws: CocoaError.self) { try ItemPath(validating: text) }
    }

    @Test func refusalNamesThePath() throws {
        let error = #expect(throws: CocoaError.self) { try ItemPath(validating: "a/../../x") }
        #expect(error?.code == .fileReadInvalidFileName)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == "a/../../x")
    }

    @Test(arguments: ["id:abcd", "rev:1", "abcdefghijkl:x", "id:a:b"])
    func recognisesIdentifiers(text: String) throws {
        let path = try ItemPath(validating: text)
        #expect(path.isIdentifier && path.description == text)
        #expect(path.components.isEmpty && path.parent == nil && path.lastComponent == nil)
        #expect(try path != ItemPath(validating: "/" + text))
    }

    @Test(arguments: ["i:abcd", "abcdefghijklm:x", "Id:abcd", "id:", "id:a/b", "i1:x"])
    func takesOtherColonsForNames(text: String) throws {
        #expect(try !ItemPath(validating: text).isIdentifier)
    }

    @Test func comparesBytesNotCharacters() throws {
        let (composed, decomposed) = (try ItemPath(validating: "\u{E9}"), try ItemPath(validating: "e\u{301}"))
        #expect("\u{E9}" == "e\u{301}", "Swift's strings are equal")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func keepsNamesThatAreNotText() throws {
        let path = try ItemPath(validatingBytes: [0x61, 0x2F, 0xFF, 0xFE])
        #expect(path.lastComponent?.bytes == [0xFF, 0xFE])
        #expect(path.description == "/a/\u{FFFD}\u{FFFD}")
        #expect(path.percentEncoded == "a/%FF%FE")
    }

    @Test func trailingSlashSaysDirectoryAndDoesNotCompare() throws {
        #expect(ItemPath("a/").namesDirectory && !ItemPath("a").namesDirectory)
        #expect(ItemPath("a/") == ItemPath("a"))
        #expect(ItemPath("a/").hashValue == ItemPath("a").hashValue)
        #expect(ItemPath("a/.").namesDirectory && ItemPath("a/b/..").namesDirectory && ItemPath.root.namesDirectory)
        #expect(ItemPath("a").asDirectory.namesDirectory)
    }

    @Test(arguments: ["/", "/a", "/a/b/c", "/é/%41/ ", "/a/", "id:abcd"])
    func isCodedWithoutLoss(text: String) throws {
        let path = try ItemPath(validating: text)
        let again = try JSONDecoder().decode([ItemPath].self, from: JSONEncoder().encode([path]))
        #expect(again == [path])
        #expect(again[0].namesDirectory == path.namesDirectory && again[0].isIdentifier == path.isIdentifier)
    }

    @Test func isCodedWithoutLossWhereItIsNotText() throws {
        let path = try ItemPath(validatingBytes: [0x61, 0x2F, 0xFF])
        #expect(try JSONDecoder().decode([ItemPath].self, from: JSONEncoder().encode([path])) == [path])
    }

    @Test func decodingValidates() throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ItemPath].self, from: Data(#"["/../x"]"#.utf8))
        }
    }

    @Test func ordersPathsByBytesAndIdentifiersLast() {
        let paths: [ItemPath] = ["id:a", "b", "a/b", "a", "a b"]
        #expect(paths.sorted() == ["a", "a b", "a/b", "b", "id:a"])
    }
}
