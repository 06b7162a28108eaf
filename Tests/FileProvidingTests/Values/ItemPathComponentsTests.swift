import FileProviding
import Foundation
import Testing

@Suite struct ItemPathComponentsTests {
    @Test func takesPathsApart() {
        let path: ItemPath = "a/b/c"
        #expect(path.components.map(\.text) == ["a", "b", "c"])
        #expect(path.lastComponent?.text == "c")
        #expect(path.parent == "a/b" && path.parent?.parent?.parent == .root)
        #expect(ItemPath.root.parent == nil && ItemPath.root.lastComponent == nil && ItemPath.root.components.isEmpty)
    }

    @Test func putsPathsTogether() throws {
        #expect(try ItemPath.root.appending("a") == "a")
        #expect(try ItemPath("a").appending("b") == "a/b")
        #expect(ItemPath("a").appending("b/c/" as ItemPath) == "a/b/c")
        #expect(ItemPath("a").appending("b/" as ItemPath).namesDirectory)
        #expect(ItemPath.root.appending("b" as ItemPath) == "b" && ItemPath("a").appending(.root) == "a")
        #expect(throws: CocoaError.self) { try ItemPath("a").appending("..") }
        #expect(throws: CocoaError.self) { try ItemPath("a").appending("b/c") as ItemPath }
    }

    @Test func aNameLikeAnIdentifierStaysAName() throws {
        let path = try ItemPath.root.appending("id:abcd")
        #expect(!path.isIdentifier && path.lastComponent?.text == "id:abcd")
    }

    @Test func knowsWhatIsInside() {
        #expect(ItemPath("a/b").isInside("a") && ItemPath("a").isInside("a") && ItemPath("a").isInside(.root))
        #expect(!ItemPath("ab").isInside("a") && !ItemPath("a").isInside("a/b") && !ItemPath.root.isInside("a"))
        #expect(!ItemPath("id:abcd").isInside(.root) && ItemPath("id:abcd").isInside("id:abcd"))
    }

    @Test func seesPathsFromDirectories() {
        #expect(ItemPath("a/b/c").relative(to: "a") == "b/c")
        #expect(ItemPath("a/b/c").relative(to: .root) == "a/b/c")
        #expect(ItemPath("a").relative(to: "a") == .root)
        #expect(ItemPath("ab").relative(to: "a") == nil)
        #expect(ItemPath("id:abcd").relative(to: .root) == nil)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("%41", "%2541"), ("a/b", "a/b"), ("é", "%C3%A9"), ("a+b", "a%2Bb"),
        ("#?&;=:@", "%23%3F%26%3B%3D%3A%40"),
        ("-._~", "-._~"), ("\u{1}", "%01"),
    ])
    func encodesOnce(path: String, encoded: String) throws {
        #expect(try ItemPath(validating: "/" + path).percentEncoded == encoded)
        #expect(try ItemPath(percentEncoded: encoded) == ItemPath(validating: "/" + path))
    }

    @Test(arguments: ["%2e%2e/x", "a/%2E%2e/../x", "%2F", "a%2fb", "%", "%4", "%zz", "a%00b", "//", "//x"])
    func refusesEncodedEscapes(text: String) {
        #expect(throws: CocoaError.self) { try ItemPath(percentEncoded: text) }
    }

    @Test func resolvesEncodedDots() throws {
        #expect(try ItemPath(percentEncoded: "/a/%2e%2e/b/%2e/c") == "b/c")
    }

    @Test func anEncodedIdentifierLikeNameIsAName() throws {
        #expect(try !ItemPath(percentEncoded: "id:abcd").isIdentifier)
    }

    @Test func nothingBelowAnIdentifierIsAPlainPath() throws {
        let item = try ItemPath(validating: "id:ab").appending("x")
        #expect(item.isIdentifier && item != "/id:ab/x")
        #expect(try ItemPath(validating: "id:ab").appending(ItemPath(validating: "x/y")).isIdentifier)
    }
}
