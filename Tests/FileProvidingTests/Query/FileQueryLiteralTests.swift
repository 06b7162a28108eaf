import FileProviding
import Foundation
import Testing

@Suite("FileQuery: literals")
struct FileQueryLiteralTests {
    @Test(
        "Numbers and sizes",
        arguments: [
            ("0", .integer(0)), ("-5", -5), ("+5", 5), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .decimal(0x1p63)),
            ("1.5", 1.5), ("5.0", 5.0), ("1e3", 1000.0), ("2E-1", 0.2),
            ("10 B", 10), ("10KB", 10_000), ("10 KiB", 10_240), ("10 K", 10_240), ("10k", 10_240),
            ("3 MB", 3_000_000), ("3 mib", 3_145_728), ("3m", 3_145_728), ("1.5 GB", 1_500_000_000),
            ("1.5G", 1_610_612_736), ("2 TB", 2_000_000_000_000), ("1 PiB", .integer(1 << 50)),
            ("7 E", .integer(7 << 60)), ("0.57 KB", 570), ("1.10 KB", 1_100), ("1.0001 KiB", 1024.1024),
            ("9 EiB", .decimal(9 * 0x1p60)), ("-0.5 K", -512), ("0.0000000000000000000001 B", 1e-22),
        ] as [(String, FileQuery.Value)])
    func numbers(text: String, value: FileQuery.Value) throws {
        #expect(try FileQuery(parsing: "fileSize > \(text)") == .comparison(.fileSize, .greater, value))
    }

    @Test(
        "Strings and their escapes",
        arguments: [
            (#""a""#, "a"), (#"'a'"#, "a"), (#"''"#, ""), (#"'"'"#, "\""), (#""'""#, "'"), (#"'\'\"\\'"#, "'\"\\"),
            (#"'\n\r\t'"#, "\n\r\t"), (#"'\u00e9\u00E9'"#, "éé"), (#"'\uD83D\uDE00'"#, "😀"), (#"'\uFFFD'"#, "\u{FFFD}"),
            ("'a\nb'", "a\nb"), ("'\u{301}'", "\u{301}"), ("'AND ) %@'", "AND ) %@"),
        ])
    func strings(literal: String, text: String) throws {
        #expect(try FileQuery(parsing: "name == \(literal)") == .comparison(.name, .equal, .string(text)))
    }

    @Test(
        "Dates, in seconds since 2001",
        arguments: [
            ("'2001-01-01'", 0), ("'2001-01-02'", 86_400), ("'2000-12-31'", -86_400), ("'2000-02-29'", -26_524_800),
            ("'2026-01-31T10:00:00Z'", 791_546_400), ("'2026-01-31t10:00z'", 791_546_400),
            ("'2026-01-31 11:30:00+01:30'", 791_546_400), ("'2026-01-31T05:00:00.25-05:00'", 791_546_400.25),
            ("'2026-01-31T10:00:00'", 791_546_400), ("'0001-01-01'", -63_113_904_000),
            ("'2016-12-31T23:59:60Z'", 504_921_600),
            (#"date("2026-01-31T10:00:00Z")"#, 791_546_400), (#"CAST("2026-01-31", "NSDate")"#, 791_510_400),
            (#"CAST(12.5, "NSDate")"#, 12.5), (#"cast(-3, 'NSDate')"#, -3),
        ] as [(String, Double)])
    func dates(literal: String, seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(
            try FileQuery(parsing: "modifiedDate > \(literal)") == .comparison(.modifiedDate, .greater, .date(date)))
    }

    @Test(
        "Now is the given moment, and durations shift it",
        arguments: [
            ("now", 0), ("NOW - 7d", -604_800), ("now-1w", -604_800), ("now + 1.5h", 5_400),
            ("now - 1d + 1m - 1s", -86_341),
            ("date('2001-01-01T00:00:10Z') - 10s", 0), ("CAST(60, 'NSDate') - 1m", 0),
        ] as [(String, Double)])
    func now(literal: String, seconds: Double) throws {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        let query = try FileQuery(parsing: "accessDate < \(literal)", now: now)
        #expect(query == .comparison(.accessDate, .less, .date(now + seconds)))
    }

    @Test("Lists and ranges hold dates too")
    func datesInLists() throws {
        let (first, second) = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 86_400))
        let query = try FileQuery(parsing: "creationDate BETWEEN {'2001-01-01', '2001-01-02'}")
        #expect(query == .between(.creationDate, .date(first), .date(second)))
    }
}
