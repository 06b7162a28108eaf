import FileProviding
import Foundation
import Testing

@Suite("FileQuery: patterns")
struct FileQueryPatternTests {
    @Test(
        "LIKE",
        arguments: [
            ("", "", true), ("", "*", true), ("", "?", false), ("a", "", false), ("a", "?", true), ("ab", "?", false),
            ("abc", "a*c", true), ("abc", "a*b", false), ("abc", "*", true), ("abc", "***", true), ("abc", "*b*", true),
            ("abc", "??", false), ("abc", "???*", true), ("abc", "*?bc", true), ("aab", "*ab", true),
            ("aXbXc", "*X?", true),
            ("abab", "*ab", true), ("mississippi", "m*iss*ip*i", true), ("mississippi", "m*iss*ip*s", false),
            ("a*b", "a\\*b", true), ("axb", "a\\*b", false), ("a?b", "a\\?b", true), ("a\\b", "a\\\\b", true),
            ("a\\", "a\\", true), ("é", "?", true), ("éx", "*??", true), ("éx", "*???", false), ("日本語", "日?語", true),
            ("😀", "?", true), ("😀", "??", false), ("e\u{301}", "?", false), ("é", "*\u{E9}", true),
        ] as [(String, String, Bool)])
    func like(name: String, pattern: String, holds: Bool) {
        #expect(FileQuery.name.like(pattern).matches(QueriedFile(named: name)) == holds)
    }

    @Test("LIKE does not blow up", .timeLimit(.minutes(5)))
    func pathologicalLike() {
        let name = QueriedFile(named: String(repeating: "a", count: 5_000))
        #expect(!FileQuery.name.like(String(repeating: "*a", count: 1_000) + "*b").matches(name))
        #expect(FileQuery.name.like(String(repeating: "*a", count: 1_000) + "*").matches(name))
        #expect(!FileQuery.name.like(String(repeating: "*?", count: 2_000) + "b").matches(name))
        #expect(!FileQuery.name.like("*" + String(repeating: "a", count: 500) + "b*").matches(name))
    }

    @Test(
        "MATCHES takes the whole text",
        arguments: [
            ("abc", "abc", true), ("abc", "b", false), ("abc", "a|abc", true), ("abc", "^abc$", true),
            ("abc\n", "abc", false),
            ("a.b", "a\\.b", true), ("2026", "\\d{4}", true), ("日本", "\\p{Han}+", true), ("aa", "(a)\\1", true),
            ("", "", true), ("a)b", "a\\)b", true),
        ] as [(String, String, Bool)])
    func matches(name: String, pattern: String, holds: Bool) throws {
        #expect(try FileQuery.name.matches(pattern).matches(QueriedFile(named: name)) == holds)
    }

    @Test("MATCHES gives up on a catastrophic pattern", .timeLimit(.minutes(5)))
    func pathologicalMatches() throws {
        let name = QueriedFile(named: String(repeating: "a", count: 64))
        #expect(try !FileQuery.name.matches("(a+)+b").matches(name))
        #expect(try !FileQuery.name.matches("(a|a)*b").matches(name))
    }

    @Test("MATCHES finishes on ordinary patterns and long texts")
    func longMatches() throws {
        let name = QueriedFile(named: String(repeating: "folder/", count: 580) + "photo.jpg")
        #expect(try FileQuery.name.matches("(.*/)?photo\\.jpe?g").matches(name))
        #expect(try FileQuery.name.matches("([a-z]+/)+.*").matches(name))
    }
}
