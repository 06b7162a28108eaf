import Foundation
import Testing

@testable import GalleryFiles

/// A list cut anywhere gives the same elements.
@Suite struct JSONArraySplitterTests {
    @Test func everyPieceSizeGivesTheSameElements() throws {
        let text = #" [ "a,]", {"b":[1,{"c":"\"],["}]}, [], 12, "é\\", null ] "#
        let whole = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSArray
        let bytes = Data(text.utf8)
        for size in 1...bytes.count {
            var splitter = JSONArraySplitter()
            var found: [Any] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = bytes[start..<min(start + size, bytes.count)]
                if let json = try splitter.append(piece) { found += try elements(json) }
            }
            found += try elements(splitter.finish())
            #expect(found as NSArray == whole, "in pieces of \(size)")
        }
    }

    @Test func elementsAreGivenAsSoonAsTheyAreComplete() throws {
        var splitter = JSONArraySplitter()
        #expect(try splitter.append(Data("[1".utf8)) == nil)
        #expect(try splitter.append(Data(",2,3".utf8)) == Data("[1,2]".utf8))
        #expect(try splitter.append(Data("]".utf8)) == nil)
        #expect(try splitter.finish() == Data("[3]".utf8))
    }

    private func elements(_ json: Data) throws -> [Any] {
        try #require(try JSONSerialization.jsonObject(with: json) as? [Any])
    }
}
