import Testing

@testable import FileProviding

@Suite struct PartitioningTests {
    @Test func `the place of a number is the first with one that is not smaller`() {
        for length in 0..<10 {
            // Slices begin elsewhere, and equal numbers stand together.
            let numbers = (0..<(length + 3)).map { $0 / 2 }[3...]
            for number in -1...8 {
                let place = numbers.partitioningIndex { $0 >= number }
                #expect(place == numbers.firstIndex { $0 >= number } ?? numbers.endIndex)
            }
        }
    }

    @Test func `few elements are looked at`() {
        var looks = 0
        let place = (0..<1_000_000).partitioningIndex { number in
            looks += 1
            return number >= 777_777
        }
        #expect(place == 777_777)
        #expect(looks <= 20)
    }
}
