import Testing

@testable import fp

@Suite struct ArgumentTextTests {
    @Test(arguments: [
        Array("plain".utf8), Array("Grüße/日本".utf8), [0xFF], [0x61, 0xC3], [0xE2, 0x82, 0x41],
        [0xF4, 0x8F, 0xBF, 0x80],
        [0xED, 0xA0, 0x80], Array(0x01...0xFF),
    ])
    func losesNothing(bytes: [UInt8]) {
        #expect(ArgumentText.decode(ArgumentText.encode(bytes)) == bytes)
    }

    @Test func ordinaryTextStaysAsItIs() { #expect(ArgumentText.encode(Array("é ./a:b".utf8)) == "é ./a:b") }
}
