import FileProviding
import Testing

@Suite struct TemporaryNameTests {
    @Test func ourNamesAreRecognisedAlsoThoseOfEarlierVersions() throws {
        let series = TemporaryName.Series(key: { .max })
        let former = try ItemName(validating: ".fp-3w5e11264sgsf0.part")
        for name in [TemporaryName.make(), TemporaryName.random(), series.next(), former] {
            #expect(TemporaryName.isOurs(name), "\(name.text)")
        }
        for text in [".fp-3w5e11264sgsf", "fp-3w5e11264sgsf.tmp", ".fp-3w5e11264sgsf.text"] {
            #expect(try !TemporaryName.isOurs(ItemName(validating: text)), "\(text)")
        }
    }
}
