import FileProviding
import Testing

@Suite struct TemporaryNameTests {
    @Test func ourNamesAreRecognised() throws {
        let series = TemporaryName.Series(key: { .max })
        let small = TemporaryName.Series(key: { 0 })
        for name in [TemporaryName.make(), TemporaryName.random(), series.next(), small.next()] {
            #expect(TemporaryName.isOurs(name), "\(name.text)")
        }
        for text in [
            ".fp-3w5e11264sgsf", "fp-3w5e11264sgsf.tmp", ".fp-3w5e11264sgsf.part", ".fp-mine.tmp",
            ".fp-3W5e11264sgsf.tmp",
        ] {
            #expect(try !TemporaryName.isOurs(ItemName(validating: text)), "\(text)")
        }
    }
}
