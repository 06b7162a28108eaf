import FileProviding
import Testing

@Suite("FileQuery: parse errors")
struct FileQueryErrorTests {
    /// The text, the position of the fault and a part of the message.
    static let rows: [(String, Int, String)] = [
        ("", 0, "the query ends"),
        ("name", 4, "Expected an operator"),
        ("name ==", 7, "Expected a key or a value, but the query ends"),
        ("name == 'a", 8, "no closing quote"),
        ("name == 'a' 'b'", 12, "Expected AND, OR or the end"),
        ("(name == 'a'", 12, "Expected \")\""),
        ("name == 'a')", 11, "there is \")\""),
        ("name == AND", 8, "there is \"AND\""),
        ("nam == 'a'", 0, "Did you mean \"name\"?"),
        ("Filesize > 1", 0, "Did you mean \"fileSize\"?"),
        ("name == 'é' AND colour == 1", 16, "The keys are accessDate, childrenCount"),
        ("name == readme", 8, "text goes in quotes"),
        ("name == path", 8, "A key is compared with a value"),
        ("1 == 1", 0, "Neither side is a key"),
        ("'a' CONTAINS name", 0, "With CONTAINS the key comes first"),
        ("'a' IN name", 0, "The key comes first"),
        ("fileSize CONTAINS 'x'", 9, "CONTAINS cannot compare fileSize, which is a number"),
        ("isHidden > NO", 9, "which is YES or NO"),
        ("isHidden == 2", 12, "isHidden is YES or NO, but this is a number"),
        ("name > 5", 7, "name is text, but this is a number"),
        ("fileSize IN {1, 'a'}", 16, "but this is text"),
        ("fileSize == '5'", 12, "but this is text"),
        ("fileSize ==[c] 5", 9, "[c] and [d] are for text"),
        ("fileSize IN[c] {5}", 9, "[c] and [d] are for text"),
        ("fileSize > nil", 9, "NIL is compared with == and !="),
        ("fileSize IN {nil}", 13, "Expected a number"),
        ("name ==[x] 'a'", 8, "Unknown option \"x\""),
        ("name ==[c 'a'", 10, "Expected \"]\""),
        ("fileSize BETWEEN {1}", 17, "BETWEEN takes two values"),
        ("isHidden BETWEEN {0, 1}", 17, "no order"),
        ("fileSize IN 5", 12, "Expected a list"),
        ("fileSize IN {1 2}", 15, "Expected \",\" or \"}\""),
        ("modifiedDate > 5", 15, "modifiedDate is a date, but this is a number"),
        ("modifiedDate > '2026-02-29'", 15, "\"2026-02-29\" is not a date such as"),
        ("modifiedDate > '2026-01-01T24:00'", 15, "is not a date"),
        ("modifiedDate > date('soon')", 20, "\"soon\" is not a date"),
        ("modifiedDate > now - 7", 21, "Expected a duration such as 7d"),
        ("modifiedDate > now - 7 MB", 21, "Expected a duration"),
        ("modifiedDate > CAST('a', 'NSData')", 25, "A cast makes"),
        ("fileSize > CAST('a', 'NSNumber')", 16, "\"a\" is not a number"),
        ("modifiedDate > CAST(YES, 'NSDate')", 20, "cannot be cast"),
        ("fileSize > 1e999", 11, "too large"),
        ("fileSize > .5", 11, "Unexpected \".\""),
        ("fileSize > - x", 13, "Expected a number"),
        (#"name MATCHES '\d+'"#, 14, "Unknown escape"),
        (#"name == '\uD83Dx'"#, 9, "four hexadecimal digits"),
        (#"name == '\u+123'"#, 9, "four hexadecimal digits"),
        ("name MATCHES 'a(b'", 13, "not a regular expression"),
        ("name MATCHES 'a)|(b'", 13, "not a regular expression"),
        ("name == %@", 8, "build the query in Swift"),
        ("%K == 'a'", 0, "build the query in Swift"),
        ("name == $limit", 8, "build the query in Swift"),
        ("name == 'e\u{301}' ü", 12, "Unexpected \"ü\""),
    ]

    @Test("A fault is placed and named", arguments: rows)
    func fault(text: String, position: Int, message: String) {
        let error = #expect(throws: FileQueryParseError.self) { try FileQuery(parsing: text) }
        #expect(error?.position == position, "\(error?.description ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.localizedDescription.hasSuffix("(column \(position + 1))") == true)
    }

    @Test("The description points at the place")
    func caret() {
        let error = #expect(throws: FileQueryParseError.self) {
            try FileQuery(parsing: "isHidden AND\n\tname = 5")
        }
        #expect(
            error?.description == """
                name is text, but this is a number (column 22)
                    isHidden AND  name = 5
                                         ^
                """)
    }

    @Test("A long query is shown around the place only")
    func longQuery() throws {
        let text = String(repeating: "isHidden AND ", count: 1_000) + "nam = 5" + String(repeating: " ", count: 1_000)
        let error = try #require(throws: FileQueryParseError.self) { try FileQuery(parsing: text) }
        let lines = error.description.split(separator: "\n")
        #expect(error.position == 13_000)
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("     isHidden AND isHidden AND isHidden AND nam = 5"))
        #expect(lines[1].count <= 80 && lines[2].count == 45)
    }

    @Test("Deep nesting is refused, not a stack overflow", arguments: ["(", "NOT ", "!", "CAST(", "name == CAST("])
    func depth(opening: String) {
        let error = #expect(throws: FileQueryParseError.self) {
            try FileQuery(parsing: String(repeating: opening, count: 50_000))
        }
        #expect(error != nil)
    }

    @Test("Nesting a hundred deep and long chains are fine")
    func limits() throws {
        let nested = String(repeating: "(", count: 99) + "isHidden" + String(repeating: ")", count: 99)
        #expect(try FileQuery(parsing: nested) == .isHidden)
        #expect(throws: FileQueryParseError.self) { try FileQuery(parsing: "(\(nested))") }
        let chain = try FileQuery(parsing: Array(repeating: "isHidden", count: 50_000).joined(separator: " OR "))
        #expect(chain == .or(Array(repeating: .isHidden, count: 50_000)))
    }
}
