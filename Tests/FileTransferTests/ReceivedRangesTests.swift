import FileProviders
import Testing

@testable import FileTransfer

@Suite("Received ranges") struct ReceivedRangesTests {
    @Test("touching ranges become one; gaps are told")
    func joining() {
        var received = ReceivedRanges()
        received.insert(10..<20)
        received.insert(30..<40)
        #expect(received.prefix == 0)
        received.insert(0..<10)
        #expect(received.ranges == [0..<20, 30..<40])
        #expect(received.missing(of: 50) == [20..<30, 40..<50])
        received.insert(15..<35)
        #expect(received.ranges == [0..<40])
        #expect(received.count == 40)
        #expect(received.missing(of: 40).isEmpty)
        received.insert(100..<100)
        #expect(received.ranges == [0..<40])
    }

    @Test("any order of pieces gives the whole", arguments: 1...20)
    func anyOrder(seed: Int) {
        var received = ReceivedRanges()
        for index in 0..<64 {
            let piece = Int64((index * (2 * seed + 1)) % 64)
            received.insert(piece * 10..<piece * 10 + 10)
        }
        #expect(received.ranges == [0..<640])
    }
}

@Suite("Pace control") struct PaceControllerTests {
    @Test("the limit rises while more gets done, and no further")
    func rises() {
        var controller = PaceController(start: 4, range: 2...64)
        for _ in 0..<40 { controller.note(rate: Double(min(controller.limit, 20)) * 10, isSaturated: true) }
        #expect((16...28).contains(controller.limit))
    }

    @Test("the limit falls where more calls do less")
    func falls() {
        var controller = PaceController(start: 32, range: 2...64)
        for _ in 0..<60 {
            let calls = Double(controller.limit)
            controller.note(rate: calls <= 8 ? calls * 10 : 80 * 8 / calls, isSaturated: true)
        }
        #expect((4...14).contains(controller.limit))
    }

    @Test("an overload halves it, and an idle storage changes nothing")
    func overload() {
        var controller = PaceController(start: 16, range: 2...64)
        controller.noteOverload()
        #expect(controller.limit == 8)
        for _ in 0..<20 { controller.note(rate: 1, isSaturated: false) }
        #expect(controller.limit == 8)
        // One burst.
        for _ in 0..<9 { controller.noteOverload() }
        #expect(controller.limit == 4)
        controller.note(rate: 1, isSaturated: false)
        controller.noteOverload()
        #expect(controller.limit == 2)
    }

    @Test("after an overload it rises again, even if the storage was slow for a moment")
    func recovers() {
        var controller = PaceController(start: 4, range: 2...64)
        controller.noteOverload()
        for number in 0..<200 {
            let slowness = number == 7 ? 0.6 : 1
            controller.note(rate: Double(min(controller.limit, 32)) * 10 * slowness, isSaturated: true)
        }
        #expect(controller.limit >= 16)
    }
}

@Suite("Mapped names") struct NameMappingTests {
    @Test("every name comes back", arguments: [".hidden", "a:b?", "ü\u{7}", "trailing.", "=fp=x", "%41", "con"])
    func thereAndBack(text: String) throws {
        let name = try ItemName(validating: text)
        guard let mapped = NameMapping.mapped(name) else { return #expect(NameMapping.original(name) != nil) }
        #expect(NameMapping.original(mapped) == name)
        #expect(mapped.bytes.allSatisfy { $0 < 0x80 })
    }

    @Test func `a name that only begins like a mapped one is itself`() throws {
        #expect(NameMapping.original(try ItemName(validating: "=fp=weird")) == nil)
    }

    @Test("a name that would become too long is not mapped")
    func tooLong() throws {
        #expect(NameMapping.mapped(try ItemName(validating: String(repeating: "ü", count: 100))) == nil)
    }
}
