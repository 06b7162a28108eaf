import FileProviding
import Foundation
import TestSupport
import Testing

@Suite("FileQuery: round trips")
struct FileQueryRoundTripTests {
    /// A block of 500 trees by its seed; a failure names it.
    @Test("Parsing a description gives the query back", arguments: 1...10 as ClosedRange<UInt64>)
    func description(seed: UInt64) throws {
        var random = RandomQuery(seed: seed)
        for index in 0..<500 {
            let query = random.query()
            let parsed = try FileQuery(parsing: query.description, keys: RandomQuery.customKeys)
            #expect(parsed == query, "seed \(seed), tree \(index): \(query)")
        }
    }

    @Test("So does storing it as JSON", arguments: 11...12 as ClosedRange<UInt64>)
    func coding(seed: UInt64) throws {
        var random = RandomQuery(seed: seed)
        for index in 0..<100 {
            let query = random.query()
            let stored = try JSONEncoder().encode(query)
            #expect(
                try JSONDecoder().decode(FileQuery.self, from: stored) == query, "seed \(seed), tree \(index): \(query)"
            )
        }
    }

    @Test("Logic of fewer than two operands is written as what it means")
    func degenerate() {
        #expect(FileQuery.and([]).description == "TRUEPREDICATE")
        #expect(FileQuery.or([]).description == "FALSEPREDICATE")
        #expect(
            FileQuery.not(.and([.or([.isHidden, .isWritable])])).description
                == "NOT (isHidden == YES OR isWritable == YES)")
    }

    @Test("The text is readable")
    func readable() throws {
        let query: FileQuery = (.name.like("*.jpg", .caseInsensitive) || .owner == nil) && !.isHidden
        #expect(query.description == #"(name LIKE[c] "*.jpg" OR owner == NIL) AND NOT isHidden == YES"#)
        let dated = try FileQuery(parsing: "modified >= '2026-01-31T10:00:00.25+01:00' AND accessDate != nil")
        #expect(dated.description == #"modifiedDate >= date("2026-01-31T09:00:00.250Z") AND accessDate != NIL"#)
    }

    @Test("It is stored as its text")
    func stored() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let rating = FileQuery.Attribute<Int64>(custom: "rating")
        let json = String(decoding: try encoder.encode(rating > 3 && .fileSize > 5), as: UTF8.self)
        #expect(json == #"{"format":"rating > 3 AND fileSize > 5","keys":{"rating":"integer"}}"#)
    }

    @Test(
        "Bad stored queries are errors",
        arguments: [
            #"{"format":"rating > 3"}"#, #"{"format":"name > "}"#, #"{"format":"isHidden","keys":{"name":"integer"}}"#,
            #"{"format":"isHidden","keys":{"a b":"integer"}}"#, #"{"format":"isHidden","keys":{"AND":"bool"}}"#,
            #"{"format":"isHidden","keys":{"a":"data"}}"#, #"{}"#,
        ])
    func badlyStored(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FileQuery.self, from: Data(json.utf8)) }
    }

    @Test("A query that would not read back is not stored")
    func unstorable() {
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(FileQuery.comparison(.fileSize, .contains, "x"))
        }
        let deep = (0..<200).reduce(FileQuery.isHidden) { query, _ in .not(query) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(deep) }
    }
}
