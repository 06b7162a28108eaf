import Foundation
import GRDB
import Testing

@testable import CloudCore

@Suite struct StatementTests {
    private let scratch: Scratch
    private let database: CloudCore.Database

    init() throws {
        scratch = try Scratch()
        database = try CloudCore.Database(file: scratch.file("database.sqlite"))
    }

    @Test func `a text keeps its zeros, and what is empty is not NULL`() throws {
        try database.writeNow { writer in
            let found: [String]? = try writer.database.firstRow(
                of: "SELECT hex(?1), typeof(?2), typeof(?3), typeof(?4), typeof(?5), ?1",
                ["a\0é", "", Data(), nil, 1.5]
            ) { row in (0..<6).map { row.text($0) ?? "" } }
            #expect(found == ["6100C3A9", "text", "blob", "null", "real", "a\0é"])
        }
    }

    @Test func `a statement that failed, or that nobody read to its end, can be used again`() throws {
        struct Enough: Error {}
        try database.writeNow { writer in
            let database = writer.database
            try database.execute(sql: "CREATE TEMP TABLE numbers (number INTEGER PRIMARY KEY)")
            let insertion = "INSERT INTO numbers VALUES (?)"
            for number in 1...3 { try database.run(insertion, [number]) }
            let error = #expect(throws: DatabaseError.self) { try database.run(insertion, [2]) }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            #expect(error?.message?.contains("numbers.number") == true)
            try database.run(insertion, [4])

            let selection = "SELECT number FROM numbers WHERE number > ? ORDER BY number"
            #expect(throws: Enough.self) { try database.forEachRow(of: selection, [0]) { _ in throw Enough() } }
            var numbers: [Int64] = []
            try database.forEachRow(of: selection, [2]) { numbers.append($0.integer(0)) }
            #expect(numbers == [3, 4])
        }
    }
}
