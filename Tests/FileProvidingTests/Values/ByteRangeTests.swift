import FileProviding
import Foundation
import Testing

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            (.all, 0..<100), (.from(0), 0..<100), (.from(40), 40..<100), (.from(100), 100..<100),
            (.from(500), 100..<100),
            (.range(10..<20), 10..<20), (.range(90..<500), 90..<100), (.range(200..<300), 100..<100),
            (.range(5..<5), 5..<5),
            (.last(10), 90..<100), (.last(0), 100..<100), (.last(500), 0..<100), (.last(.max), 0..<100),
            (.range(0..<Int64.max), 0..<100),
        ] as [(ByteRange, Range<Int64>)])
    func isClippedToTheFile(range: ByteRange, bytes: Range<Int64>) {
        #expect(range.resolved(size: 100) == bytes)
    }

    @Test(arguments: [ByteRange.all, .from(0), .from(10), .range(0..<10), .last(0), .last(10)])
    func isEmptyInAnEmptyFile(range: ByteRange) {
        #expect(range.resolved(size: 0) == 0..<0)
    }

    @Test(arguments: [ByteRange.from(-1), .range(-1..<5), .last(-1), .from(.min)])
    func refusesNegatives(range: ByteRange) {
        let error = #expect(throws: CocoaError.self) { try range.validate(path: "file") }
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EINVAL)
    }

    @Test(arguments: [ByteRange.all, .from(0), .range(0..<0), .last(0), .from(.max)])
    func takesEverythingElse(range: ByteRange) throws {
        try range.validate(path: "file")
    }
}
