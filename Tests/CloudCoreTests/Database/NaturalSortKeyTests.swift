import FileProviding
import TestSupport
import Testing

@testable import CloudCore

@Suite struct NaturalSortKeyTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `keys order names as sorting in memory does`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("aAbB0012989 .-_~[é\u{10FFFF}".utf8) + [0xFF, 0x01]
        let names = try (0..<60).map { _ in
            try ItemName(
                validating: [UInt8(ascii: "x")]
                    + (0..<Int.random(in: 0..<7, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator)!
                    })
        }
        let sorting = FileObjectSorting(.name)
        for a in names {
            for b in names {
                let files = (
                    FileObject(name: a, in: .root, type: .regular), FileObject(name: b, in: .root, type: .regular)
                )
                let keys = (Array(NaturalSortKey.key(for: a)), Array(NaturalSortKey.key(for: b)))
                let precedes = keys.0.lexicographicallyPrecedes(keys.1) || (keys.0 == keys.1 && a < b)
                #expect(
                    precedes == sorting.areInIncreasingOrder(files.0, files.1), "seed \(seed): \(a.bytes) \(b.bytes)")
            }
        }
    }
}
