import FileProviding
import Foundation
import Testing

@testable import HTTPFiles

@Suite struct HTTPDateTests {
    private func parse(_ text: String) -> FileTime? {
        HTTPDate.parse(text)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 Z", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 03:49:37 EST", "Sun, 06 Nov 1994 10:49:37 CEST", "Sun, 06 Nov 1994 09:49:37 CET",
        "Sun, 06 Nov 1994 10:49:37 +0200", "Sun, 06 Nov 1994 00:49:37 -08:00", "06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
        "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994", " Sun, 06 Nov 1994 08:49:37 GMT\n",
        "1994-11-06T08:49:37Z", "1994-11-06T08:49:37+00:00", "1994-11-06T08:49:37+0000", "1994-11-06 08:49:37",
        "1994-11-06T03:19:37-05:30", "1994-11-06t08:49:37z", "1994-11-06T08:49:37.000Z",
    ])
    func oneMomentInManyForms(text: String) {
        #expect(parse(text) == FileTime(seconds: 784_111_777))
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01", 0), ("2000-02-29T00:00:00Z", 951_782_400),
        ("Thu, 31 Dec 2037 23:59:59 GMT", 2_145_916_799), ("Tuesday, 19-Jan-38 03:14:08 GMT", 2_147_483_648),
        ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800), ("1969-12-31T23:59:59Z", -1),
        ("1994-11-06T08:49Z", 784_111_740),
    ])
    func otherMoments(text: String, seconds: Int64) {
        #expect(parse(text) == FileTime(seconds: seconds))
    }

    @Test(arguments: [
        ("1994-11-06T08:49:37.123456789Z", 123_456_789), ("1994-11-06T08:49:37.1Z", 100_000_000),
        ("1994-11-06T08:49:37.1234567891111Z", 123_456_789), ("1994-11-06T08:49:37,25Z", 250_000_000),
    ])
    func fractions(text: String, nanoseconds: Int64) {
        #expect(parse(text) == FileTime(seconds: 784_111_777, nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "", "0", "x", "Sun,", "Sun, 06", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "1995-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "1994-13-01T00:00:00Z",
        "1994-00-01T00:00:00Z", "1994-11-00T00:00:00Z", "1994-11-06T24:00:00Z", "1994-11-06T08:60:00Z",
        "1994-11-06T08:49:37.Z", "1994-11-06T08:49:37Zx", "1994-11-06T08:49:37 NEW", "Sun, 06 Nov 1994 8am",
        "0000-01-01T00:00:00Z", "1994-11-06T", "784111777", "tomorrow", "Sun,,,,,",
    ])
    func senseless(text: String) {
        #expect(parse(text) == nil)
    }

    @Test func everyDayAgreesWithFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -100_000, to: 100_000, by: 13) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let text = String(format: "%04d-%02d-%02dT00:00:00Z", parts.year!, parts.month!, parts.day!)
            #expect(parse(text) == FileTime(seconds: Int64(day) * 86_400), "\(text)")
        }
    }

    @Test func writesDates() {
        let time = FileTime(seconds: 784_111_777, nanoseconds: 999_999_999)
        #expect(HTTPDate.format(time) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
