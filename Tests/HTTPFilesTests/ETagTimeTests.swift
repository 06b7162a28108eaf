import FileProviding
import Testing

@testable import HTTPFiles

@Suite struct ETagTimeTests {
    private let told = FileTime(seconds: 1_795_718_414)

    @Test(arguments: [
        ("W/\"3-66132463d53d3\"", 1_795_718_414_947_283_000), ("\"3-66132463d53d3\"", 1_795_718_414_947_283_000),
        ("\"18ebac623b4d11033\"", 1_795_718_414_338_953_475),
    ])
    func someTagsHoldTheTime(tag: String, nanoseconds: Int64) {
        let time = ETag(rawValue: tag).time(ofSize: 3, reported: told)
        #expect(time?.seconds == told.seconds)
        #expect(time == FileTime(nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "", "\"", "\"\"", "\"3\"", "\"3-\"", "\"3-zz\"", "\"3-6b087d0e\"", "\"4-66132463d53d3\"", "3-7fffffffffffffff",
    ])
    func othersDoNot(tag: String) {
        #expect(ETag(rawValue: tag).time(ofSize: 3, reported: told) == nil)
    }
}
