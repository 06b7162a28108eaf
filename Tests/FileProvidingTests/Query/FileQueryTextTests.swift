import TestSupport
import Testing

@testable import FileProviding

@Suite("FileQuery: text")
struct FileQueryTextTests {
    @Test(
        "Case, accents and Unicode",
        arguments: [
            // Without options: bytes.
            ("é", "name == 'e\u{301}'", false), ("e\u{301}", "name CONTAINS 'e'", true),
            ("é", "name CONTAINS 'e'", false),
            ("A", "name == 'a'", false),
            // [c]: full case folding, and composed like decomposed.
            ("A", "name ==[c] 'a'", true), ("a", "name ==[c] 'A'", true), ("É", "name ==[c] 'é'", true),
            ("E\u{301}", "name ==[c] 'é'", true), ("é", "name ==[c] 'e'", false),
            ("e\u{301}", "name CONTAINS[c] 'e'", false),
            ("Straße", "name ==[c] 'STRASSE'", true), ("STRAẞE", "name ==[c] 'strasse'", true),
            ("ΣΊΣΥΦΟΣ", "name ==[c] 'σίσυφος'", true), ("\u{2126}", "name ==[c] \'ω\'", true),
            ("\u{212A}", "name ==[c] \'k\'", true),
            ("İ", "name ==[c] 'i'", false), ("ı", "name ==[c] 'I'", false),
            ("ПРИВЕТ", "name BEGINSWITH[c] 'при'", true),
            ("Ꭰ", "name ==[c] 'ꭰ'", true), ("ﬁle", "name ==[c] 'FILE'", true), ("ｆ", "name ==[c] 'Ｆ'", true),
            ("\u{3B1}\u{345}\u{301}", "name ==[c] 'ᾴ'", true),
            // [d]: no nonspacing marks.
            ("é", "name ==[d] 'e'", true), ("e", "name ==[d] 'é'", true), ("É", "name ==[d] 'e'", false),
            ("Ånström", "name ==[d] 'Anstrom'", true), ("ø", "name ==[d] 'o'", false), ("が", "name ==[d] 'か'", true),
            ("한글", "name ==[d] '한글'", true), ("שָׁלוֹם", "name ==[d] 'שלום'", true),
            // [cd].
            ("ÉCOLE", "name CONTAINS[cd] 'cole'", true), ("E\u{301}cole", "name ENDSWITH[cd] 'ÉCOLE'", true),
            ("İ", "name ==[cd] 'i'", true), ("\u{1C4}", "name ==[cd] '\u{1C5}'", true),
            ("Größe", "name IN[cd] {'GROSSE'}", true),
            ("ÉA", "name <[cd] 'eb'", true), ("写真", "name ==[cd] '写真'", true),
            // Patterns see the same text.
            ("CAFÉ.JPG", "name LIKE[c] 'caf?.*'", true), ("CAFE\u{301}.JPG", "name LIKE[c] 'caf?.*'", true),
            ("CAFE\u{301}.JPG", "name LIKE 'CAF?.*'", false), ("Café", "name MATCHES[cd] 'CAFE'", true),
            ("Cafe", "name MATCHES[d] 'Café'", true), ("É", "name MATCHES[c] 'é'", true),
        ] as [(String, String, Bool)])
    func text(name: String, query: String, holds: Bool) throws {
        #expect(try FileQuery(parsing: query).matches(QueriedFile(named: name)) == holds)
    }

    @Test("Looked-up folding is the same as reckoned folding", arguments: 0..<20 as Range<UInt64>)
    func foldingTable(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x530...0x7FF, 0x2010...0x2030, 0x3001...0x30FF,
            0x4E00...0x4F00, 0xAC00...0xAD00, 0x1100...0x11FF, 0xFF21...0xFF3A, 0x1F300...0x1F600,
        ]
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let range = ranges.randomElement(using: &generator) ?? 0...0
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            for options in [
                FileQuery.Options.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ] {
                let lookedUp = text.withFoldedUTF8(options) { String(decoding: $0, as: UTF8.self) }
                #expect(
                    Array(lookedUp.utf8) == Array(text.folded(options).utf8), "seed \(seed): \(text.debugDescription)")
            }
        }
    }
}
