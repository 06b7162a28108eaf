import FileProviding
import Testing

@Suite struct TemporaryNameTests {
    @Test func ourNamesAreRecognised() throws {
        let series = TemporaryName.Series(key: { .max })
        for name in [TemporaryName.make(), TemporaryName.random(), series.next()] {
            #expect(TemporaryName.isOurs(name), "\(name.text)")
        }
        for text in [".fp-3w5e11264sgsf", "fp-3w5e11264sgsf.tmp", ".fp-3w5e11264sgsf.part"] {
            #expect(try !TemporaryName.isOurs(ItemName(validating: text)), "\(text)")
        }
    }
}
