import FileProviding
import Foundation
import Testing

@Suite("FileQuery: evaluation")
struct FileQueryEvaluationTests {
    /// It has no owner, no access date and no `isReadOnly`.
    static let file = QueriedFile([
        .name: "photo.jpg", .path: "/a/photo.jpg", .fileSize: 1_000, .isHidden: false, .isWritable: true,
        .modifiedDate: .date(Date(timeIntervalSinceReferenceDate: 86_400)), .type: "regular", .width: 640,
        .childrenCount: .decimal(2.5), .id: 7,
    ])

    @Test(
        "These hold",
        arguments: [
            "TRUEPREDICATE", "NOT FALSEPREDICATE", "name == 'photo.jpg'", "name != 'Photo.jpg'", "name < 'photo.jpga'",
            "name > 'photo'", "name >= 'photo.jpg'", "name <= 'photo.jpg'", "name > 'Z'", "name BEGINSWITH 'photo'",
            "name ENDSWITH '.jpg'", "name CONTAINS 'oto'", "name CONTAINS ''", "name BEGINSWITH ''", "name ENDSWITH ''",
            "name IN {'a', 'photo.jpg'}", "name BETWEEN {'photo', 'photo.png'}", "name MATCHES 'photo\\\\.(jpg|jpeg)'",
            "fileSize == 1000", "fileSize == 1 KB", "fileSize == 1000.0", "fileSize > 999.5", "fileSize < 1000.5",
            "fileSize != 1001", "fileSize IN {1, 1000.0}", "fileSize BETWEEN {1000, 1000}", "childrenCount == 2.5",
            "childrenCount > 2", "childrenCount < 3", "isHidden == NO", "NOT isHidden", "isWritable", "isHidden != YES",
            "modifiedDate == '2001-01-02'", "modifiedDate > '2001-01-01'", "modifiedDate < now",
            "modifiedDate BETWEEN {'2001-01-01', '2001-01-03'}", "isHidden OR isWritable",
            "NOT (isHidden AND isWritable)",
        ])
    func holds(text: String) throws {
        let query = try FileQuery(parsing: text)
        #expect(query.matches(Self.file))
        #expect(!(!query).matches(Self.file))
    }

    @Test(
        "These do not",
        arguments: [
            "FALSEPREDICATE", "name == 'photo'", "name != 'photo.jpg'", "name < 'photo.jpg'", "name BEGINSWITH 'hoto'",
            "name ENDSWITH 'photo.jpg.'", "name CONTAINS 'OTO'", "name CONTAINS 'photo.jpg.photo.jpg'", "name IN {}",
            "name BETWEEN {'photo.png', 'photo'}", "name MATCHES 'photo'", "fileSize > 1000", "fileSize == 1000.25",
            "fileSize IN {1, 2}", "fileSize BETWEEN {1001, 2000}", "isHidden", "isHidden AND isWritable",
            "modifiedDate > now", "fileSize > CAST('nan', 'NSNumber')", "fileSize == CAST('nan', 'NSNumber')",
        ])
    func doesNotHold(text: String) throws {
        let query = try FileQuery(parsing: text)
        #expect(!query.matches(Self.file))
        #expect((!query).matches(Self.file))
    }

    @Test(
        "An absent property equals only nil, and differs from every value",
        arguments: [
            ("owner == nil", true), ("owner != nil", false), ("owner == 'a'", false), ("owner != 'a'", true),
            ("owner < 'a'", false), ("owner >= 'a'", false), ("owner CONTAINS ''", false), ("owner LIKE '*'", false),
            ("owner MATCHES '.*'", false), ("owner IN {'a'}", false), ("owner BETWEEN {'', 'z'}", false),
            ("NOT owner == 'a'", true), ("NOT owner CONTAINS 'a'", true), ("accessDate < now", false),
            ("accessDate != now", true), ("height > 0", false), ("height != 0", true), ("isReadOnly", false),
            ("isReadOnly == NO", false), ("isReadOnly != NO", true), ("height BETWEEN {0, 9}", false),
            ("name == nil", false), ("name != nil", true), ("height IN {0}", false),
        ])
    func absence(text: String, holds: Bool) throws {
        #expect(try FileQuery(parsing: text).matches(Self.file) == holds)
    }

    @Test(
        "A value of another kind is like an absent one, but is there",
        arguments: [
            ("id == '7'", false), ("id != '7'", true), ("id CONTAINS '7'", false), ("id IN {'7'}", false),
            ("id == nil", false), ("id < '9'", false),
        ])
    func otherKind(text: String, holds: Bool) throws {
        #expect(try FileQuery(parsing: text).matches(Self.file) == holds)
    }

    @Test("A comparison made by hand that makes no sense holds for no file")
    func illTyped() {
        #expect(!FileQuery.comparison(.fileSize, .contains, "1").matches(Self.file))
        #expect(!FileQuery.comparison(.fileSize, .like, 1).matches(Self.file))
        #expect(!FileQuery.comparison(.isHidden, .less, true).matches(Self.file))
        #expect(!FileQuery.comparison(.name, .matches, "(").matches(Self.file))
    }

    @Test("Logic without operands")
    func emptyLogic() {
        #expect(FileQuery.and([]).matches(Self.file))
        #expect(!FileQuery.or([]).matches(Self.file))
    }

    @Test(
        "Whole numbers and fractions compare exactly",
        arguments: [
            (.max, 0x1p63, -1), (.min, -0x1p63, 0), (1 << 53 + 1, 0x1p53, 1), (.max, .infinity, -1),
            (.min, -.infinity, 1), (-1, -0.5, -1), (0, -0.5, 1), (-1, -1.5, 1), (0, -0.0, 0),
            (5, 4.9999999999999999, 0),
        ] as [(Int64, Double, Int)])
    func mixedNumbers(whole: Int64, fraction: Double, order: Int) {
        let forward = QueriedFile([.fileSize: .integer(whole)])
        let backward = QueriedFile([.fileSize: .decimal(fraction)])
        for (relation, expected) in [(FileQuery.Operator.less, order < 0), (.equal, order == 0), (.greater, order > 0)]
        {
            #expect(FileQuery.comparison(.fileSize, relation, .decimal(fraction)).matches(forward) == expected)
        }
        for (relation, expected) in [(FileQuery.Operator.less, order > 0), (.equal, order == 0), (.greater, order < 0)]
        {
            #expect(FileQuery.comparison(.fileSize, relation, .integer(whole)).matches(backward) == expected)
        }
    }
}
