import FileProviding
import FileTransfer
import Testing

@Suite("Transfer filters") struct TransferFilterTests {
    @Test(
        "a pattern matches as gitignore's do",
        arguments: [
            ("*.jpg", "a.jpg", true), ("*.jpg", "deep/er/a.jpg", true), ("*.jpg", "a.jpeg", false),
            ("/a.jpg", "a.jpg", true), ("/a.jpg", "b/a.jpg", false), ("b/*.jpg", "b/a.jpg", true),
            ("b/*.jpg", "b/c/a.jpg", false), ("b/**/a.jpg", "b/c/d/a.jpg", true), ("b/**/a.jpg", "b/a.jpg", true),
            ("**/tmp", "x/y/tmp", true), ("**/tmp", "tmp", true), ("**/tmp", "mytmp", false),
            ("**/tmp", "x/mytmp", false), ("b/**/a.jpg", "b/xa.jpg", false), ("**/b/**/*.o", "a/b/c/d.o", true),
            ("**/b/**/*.o", "ab/c/d.o", false), ("x**/b", "xy/z/b", false), ("x**/b", "xy/b", true),
            ("/x**y", "x/y", false), ("/x**y", "xay", true), ("b/**", "b/c/d", true), ("b/**y", "b/c/y", false),
            ("a?c", "abc", true), ("a?c", "a/c", false), ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false), ("\\*", "*", true), ("\\*", "a", false),
            ("[[:digit:]].log", "1.log", true), ("[[:digit:]].log", "a.log", false),
            ("[![:digit:]x].log", "a.log", true), ("[![:digit:]x].log", "x.log", false),
            ("[[:upper:][:space:]]", " ", true), ("[[:nosuch:]]", "n]", true), ("[[:digit:]", ":", false),
            ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
            ("[a\\-c]", "b", false), ("[a\\-c]", "-", true), ("[\\]]", "]", true),
            ("[!\\]]", "]", false), ("[a-\\c]", "b", true),
        ] as [(String, ItemPath, Bool)])
    func patterns(_ pattern: String, _ path: ItemPath, _ isMatch: Bool) {
        let filter = TransferFilter([.init(includes: false, pattern: pattern)])
        #expect(filter.includes(path, isDirectory: false) == !isMatch)
    }

    @Test("the first rule that matches decides")
    func order() {
        let filter = TransferFilter([
            .init(includes: true, pattern: "keep.log"), .init(includes: false, pattern: "*.log"),
        ])
        #expect(filter.includes("keep.log", isDirectory: false))
        #expect(!filter.includes("other.log", isDirectory: false))
        #expect(filter.includes("other.txt", isDirectory: false))
    }

    @Test("inclusions alone leave out everything else, but not the directories on the way")
    func inclusionsAlone() {
        let filter = TransferFilter([.init(includes: true, pattern: "*.jpg")])
        #expect(filter.includes("a.jpg", isDirectory: false))
        #expect(!filter.includes("a.txt", isDirectory: false))
        #expect(filter.includes("folder", isDirectory: true))
    }

    @Test("an exception alone leaves nothing out")
    func exceptionAlone() {
        let keep = TransferFilter.Rule(includes: true, pattern: "keep.o", isException: true)
        #expect(TransferFilter([keep]).includes("other.o", isDirectory: false))
        let filter = TransferFilter([keep, .init(includes: false, pattern: "*.o")])
        #expect(filter.includes("keep.o", isDirectory: false) && !filter.includes("other.o", isDirectory: false))
    }

    @Test("a pattern for any directory includes no file at the top")
    func anyDirectory() {
        let filter = TransferFilter([.init(includes: true, pattern: "*/")])
        #expect(!filter.includes("file", isDirectory: false))
        #expect(filter.includes("folder/file", isDirectory: false))
    }

    @Test("names and patterns need not be UTF-8")
    func bytes() {
        let filter = TransferFilter([.init(includes: false, pattern: Array("caf".utf8) + [0xE9])])
        #expect(!filter.includes(ItemPath(unchecked: Array("/caf".utf8) + [0xE9]), isDirectory: false))
        #expect(filter.includes("café", isDirectory: false))
    }

    @Test("a directory that is included is so with all that is in it")
    func includedDirectory() {
        let filter = TransferFilter([.init(includes: true, pattern: "src/")])
        #expect(filter.includes("src/a/b.c", isDirectory: false))
        #expect(filter.includes("x/src/b.c", isDirectory: false))
        #expect(!filter.includes("other/b.c", isDirectory: false))
    }

    @Test("a trailing slash means directories only")
    func directoriesOnly() {
        let filter = TransferFilter([.init(includes: false, pattern: "build/")])
        #expect(!filter.includes("build", isDirectory: true))
        #expect(filter.includes("build", isDirectory: false))
    }
}
