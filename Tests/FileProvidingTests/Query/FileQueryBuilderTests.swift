import FileProviding
import Foundation
import Testing

@Suite("FileQuery: built in Swift")
struct FileQueryBuilderTests {
    static let date = Date(timeIntervalSinceReferenceDate: 0)

    static let rows: [(FileQuery, String)] = [
        (.name.contains("x", .caseInsensitive) && .fileSize > 10, "name CONTAINS[c] 'x' AND fileSize > 10"),
        (.name == "a" || .name != "b" && !.isHidden, "name == 'a' OR name != 'b' AND NOT isHidden"),
        ((.name == "a" || .name == "b") && .isDirectory, "(name == 'a' OR name == 'b') AND isDirectory"),
        (.fileSize < 1 && .fileSize <= 2 && .fileSize >= 3, "size < 1 AND size <= 2 AND size >= 3"),
        (.isHidden || .isWritable || .isReadOnly, "isHidden OR isWritable OR isReadOnly"),
        (.owner == nil && .eTag != nil, "owner == nil AND eTag != nil"),
        (.isHidden == false, "isHidden == NO"),
        (.modifiedDate > date, "modified > '2001-01-01'"),
        (.fileSize.isIn([1, 2]) && .fileSize.isBetween(1, and: 2), "size IN {1, 2} AND size BETWEEN {1, 2}"),
        (.name.isIn(["a"], .caseInsensitive), "name IN[c] {'a'}"),
        (.name.equals("a", [.caseInsensitive, .diacriticInsensitive]), "name ==[cd] 'a'"),
        (.path.beginsWith("/a") && .path.endsWith("z"), "path BEGINSWITH '/a' AND path ENDSWITH 'z'"),
        (!(.mimeType.like("image/*") && .width > 100), "NOT (mimeType LIKE 'image/*' AND width > 100)"),
    ]

    @Test("It is what its text parses to", arguments: rows)
    func builds(query: FileQuery, text: String) throws {
        #expect(try query == FileQuery(parsing: text))
    }

    @Test("Regular expressions are checked")
    func regularExpressions() throws {
        #expect(try FileQuery.name.matches("a+") == .comparison(.name, .matches, "a+"))
        #expect(throws: CocoaError.self) { try FileQuery.name.matches("a(") }
    }

    @Test("A provider's own attributes have types too")
    func customAttributes() throws {
        let exposure = FileQuery.Attribute<Double>(custom: "exposure")
        let text = "exposure <= 0.5 OR exposure == nil"
        #expect(try FileQuery(parsing: text, keys: [exposure.key]) == (exposure <= 0.5 || exposure == nil))
    }

    @Test("Queries are equal by the bytes of their texts")
    func equality() {
        let (composed, decomposed): (FileQuery, FileQuery) = (.name == "\u{E9}", .name == "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        let notANumber = FileQuery.comparison(.fileSize, .equal, .decimal(.nan))
        #expect(notANumber == notANumber)
        #expect(FileQuery.comparison(.fileSize, .equal, 5) != .comparison(.fileSize, .equal, 5.0))
    }
}
