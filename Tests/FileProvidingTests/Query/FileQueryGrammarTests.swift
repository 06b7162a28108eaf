import FileProviding
import Testing

@Suite("FileQuery: grammar")
struct FileQueryGrammarTests {
    typealias Row = (text: String, query: FileQuery)

    static let operators: [Row] = [
        ("name = 'a'", .comparison(.name, .equal, "a")),
        ("name == 'a'", .comparison(.name, .equal, "a")),
        ("name != 'a'", .comparison(.name, .notEqual, "a")),
        ("name <> 'a'", .comparison(.name, .notEqual, "a")),
        ("fileSize < 1", .comparison(.fileSize, .less, 1)),
        ("fileSize <= 1", .comparison(.fileSize, .lessOrEqual, 1)),
        ("fileSize =< 1", .comparison(.fileSize, .lessOrEqual, 1)),
        ("fileSize > 1", .comparison(.fileSize, .greater, 1)),
        ("fileSize >= 1", .comparison(.fileSize, .greaterOrEqual, 1)),
        ("fileSize => 1", .comparison(.fileSize, .greaterOrEqual, 1)),
        ("name BEGINSWITH 'a'", .comparison(.name, .beginsWith, "a")),
        ("name contains[c] 'a'", .comparison(.name, .contains, "a", .caseInsensitive)),
        ("name EndsWith[d] 'a'", .comparison(.name, .endsWith, "a", .diacriticInsensitive)),
        ("name LIKE [dC] 'a'", .comparison(.name, .like, "a", [.caseInsensitive, .diacriticInsensitive])),
        ("name MATCHES 'a+'", .comparison(.name, .matches, "a+")),
        ("name ==[c] 'a'", .comparison(.name, .equal, "a", .caseInsensitive)),
        ("name>='a'", .comparison(.name, .greaterOrEqual, "a")),
    ]

    static let operands: [Row] = [
        ("10 < fileSize", .comparison(.fileSize, .greater, 10)),
        ("10 >= fileSize", .comparison(.fileSize, .lessOrEqual, 10)),
        ("'a' ==[c] name", .comparison(.name, .equal, "a", .caseInsensitive)),
        ("fileSize IN {1, 2}", .in(.fileSize, [1, 2])),
        ("name in[c] ('a')", .in(.name, ["a"], .caseInsensitive)),
        ("name IN {}", .in(.name, [])),
        ("fileSize BETWEEN {1, 2}", .between(.fileSize, 1, 2)),
        ("name between ('a', 'b')", .between(.name, "a", "b")),
        ("owner == nil", .absent(.owner)),
        ("NULL = fileSize", .absent(.fileSize)),
        ("owner != NIL", .not(.absent(.owner))),
        ("isHidden", .comparison(.isHidden, .equal, true)),
        ("isHidden != 1", .comparison(.isHidden, .notEqual, true)),
        ("isHidden == FALSE", .comparison(.isHidden, .equal, false)),
        ("size > 1", .comparison(.fileSize, .greater, 1)),
        ("filesize > 1", .comparison(.fileSize, .greater, 1)),
        ("modified != nil", .not(.absent(.modifiedDate))),
        ("contentModificationDate != nil", .not(.absent(.modifiedDate))),
        ("isSymbolicLink", .comparison(.isSymLink, .equal, true)),
        ("fileType == 'directory'", .comparison(.type, .equal, "directory")),
        ("entryTag == '1'", .comparison(.eTag, .equal, "1")),
        ("contentType == 'a/b'", .comparison(.mimeType, .equal, "a/b")),
        ("fileID == '1'", .comparison(.id, .equal, "1")),
    ]

    static let logic: [Row] = {
        let (a, b, c) = (FileQuery.absent(.name), FileQuery.absent(.path), FileQuery.absent(.url))
        return [
            ("TRUEPREDICATE", .all),
            ("falsepredicate", .nothing),
            ("(TRUEPREDICATE)", .all),
            ("name == nil AND path == nil OR url == nil", .or([.and([a, b]), c])),
            ("name == nil OR path == nil AND url == nil", .or([a, .and([b, c])])),
            ("(name == nil || path == nil) && url == nil", .and([.or([a, b]), c])),
            ("name == nil and path == nil and url == nil", .and([a, b, c])),
            ("name == nil AND (path == nil AND url == nil)", .and([a, .and([b, c])])),
            ("NOT name == nil AND path == nil", .and([.not(a), b])),
            ("!name == nil && !(path == nil OR url == nil)", .and([.not(a), .not(.or([b, c]))])),
            ("NOT NOT ! name == nil", .not(.not(.not(a)))),
        ]
    }()

    @Test("Text parses to the tree", arguments: operators + operands + logic)
    func parses(row: Row) throws {
        #expect(try FileQuery(parsing: row.text) == row.query, "\(row.text)")
    }

    @Test("Every shared key is known by its name")
    func everyKey() throws {
        for key in FileQuery.Key.known {
            #expect(try FileQuery(parsing: "\(key.name) == nil") == .absent(key))
        }
        #expect(Set(FileQuery.Key.known).count == FileQuery.Key.known.count)
    }

    @Test("A provider's own keys are known when they are given")
    func customKeys() throws {
        let rating = FileQuery.Key(custom: "gallery.rating", type: .integer)
        #expect(
            try FileQuery(parsing: "gallery.rating > 3", keys: [rating]) == .comparison(rating, .greater, 3))
        #expect(throws: FileQueryParseError.self) { try FileQuery(parsing: "gallery.rating > 3") }
    }

    @Test("A query tells which properties it needs")
    func keys() throws {
        let query = try FileQuery(parsing: "NOT (name == 'a' OR size IN {1}) AND url == nil AND width BETWEEN {1, 2}")
        #expect(query.keys == [.name, .fileSize, .url, .width])
        #expect(FileQuery.all.keys.isEmpty)
    }
}
