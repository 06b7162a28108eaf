import FileProviding
import Foundation
import Testing

@Suite struct FileTimeTests {
    @Test(
        arguments: [
            (0, 0, 0), (1, 0, 1), (1_500_000_000, 1, 500_000_000), (-1, -1, 999_999_999), (-1_000_000_000, -1, 0),
            (-1_000_000_001, -2, 999_999_999), (.min, -9_223_372_037, 145_224_192),
            (.max, 9_223_372_036, 854_775_807),
        ] as [(Int64, Int64, Int64)])
    func splitsIntoSecondsAndTheRest(nanoseconds: Int64, seconds: Int64, subsecond: Int64) {
        let time = FileTime(nanoseconds: nanoseconds)
        #expect(time.seconds == seconds && time.subsecond == subsecond)
        #expect(FileTime(seconds: time.seconds, nanoseconds: time.subsecond) == time)
    }

    @Test func clampsWhatIsTooFarAway() {
        #expect(FileTime(seconds: .max).nanoseconds == .max)
        #expect(FileTime(seconds: .min).nanoseconds == .min)
        #expect(FileTime(seconds: 9_223_372_036, nanoseconds: 999_999_999).nanoseconds == .max)
        #expect(FileTime(.distantFuture).nanoseconds == .max && FileTime(.distantPast).nanoseconds == .min)
        #expect(FileTime(Date(timeIntervalSince1970: .nan)).nanoseconds == .max)
    }

    @Test(arguments: [0, 1.5, -1.5, 1_700_000_000.123_456, -0.000_001])
    func goesToADateAndBack(interval: TimeInterval) {
        let time = FileTime(Date(timeIntervalSince1970: interval))
        #expect(abs(time.date.timeIntervalSince1970 - interval) < 0.000_001)
    }

    @Test func ordersByTime() {
        #expect(FileTime(nanoseconds: -1) < FileTime(nanoseconds: 0))
    }

    @Test func isCodedToTheNanosecond() throws {
        let time = FileTime(nanoseconds: 1_700_000_000_123_456_789)
        #expect(try JSONDecoder().decode(FileTime.self, from: JSONEncoder().encode(time)) == time)
    }

    @Test func `a time shows all its digits, in UTC`() {
        #expect(FileTime(seconds: 1_500_000_000, nanoseconds: 7).description == "2017-07-14T02:40:00.000000007Z")
        #expect(FileTime(nanoseconds: -1).description == "1969-12-31T23:59:59.999999999Z")
    }
}
