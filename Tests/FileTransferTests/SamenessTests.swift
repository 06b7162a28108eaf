import FileProviding
import Testing

@testable import FileTransfer

@Suite struct SamenessTests {
    private static func file(_ nanoseconds: Int64) -> FileObject {
        var file = FileObject(path: "f", type: .regular)
        file.size = 5
        file.modificationTime = FileTime(nanoseconds: nanoseconds)
        return file
    }

    private static func characteristics(_ precision: Int64, settable: Int64?) -> ProviderCharacteristics {
        var characteristics = ProviderCharacteristics()
        (characteristics.timePrecision, characteristics.settableTimePrecision) = (precision, settable)
        return characteristics
    }

    /// A file system that cuts off part of the time has the same file, however often it is compared.
    @Test(
        arguments: [
            (1_700_000_000_129_456_789, 1_700_000_000_120_000_000, true),
            (1_700_000_000_009_456_789, 1_700_000_000_000_000_000, true),
            (1_700_000_000_129_456_789, 1_700_000_000_110_000_000, false),
        ] as [(Int64, Int64, Bool)])
    func hundredths(source: Int64, target: Int64, isSame: Bool) {
        let sameness = Sameness(
            destination: Self.characteristics(10_000_000, settable: 10_000_000),
            source: Self.characteristics(1, settable: 1))
        #expect((sameness.reason(Self.file(source), Self.file(target)) != nil) == isSame)
    }

    /// sabre/dav leaves the time out of its replies if it is 0.
    @Test(arguments: [(0, 1, true), (1_000_000_000, 1, false), (0, nil, false)] as [(Int64, Int64?, Bool)])
    func leftOut(source: Int64, settable: Int64?, isSame: Bool) {
        var target = Self.file(0)
        target.modificationTime = nil
        let sameness = Sameness(
            destination: Self.characteristics(1_000_000_000, settable: settable),
            source: Self.characteristics(1, settable: 1))
        #expect((sameness.reason(Self.file(source), target) != nil) == isSame)
    }

    /// A file system whose times turn out to be coarser than such file systems mostly are.
    @Test(
        arguments: [
            (1_700_000_000_123_456_789, 1_700_000_000_000_000_000, true),
            (1_700_000_000_123_456_789, 1_700_000_000_123_456_700, true),
            (1_700_000_001_123_456_789, 1_700_000_000_000_000_000, false),
            (1_700_000_000_000_000_000, 1_700_000_000_123_456_789, false),
            (1_700_000_000_123_456_789, 1_700_000_000_123_450_001, false),
        ] as [(Int64, Int64, Bool)])
    func fewerDigits(source: Int64, target: Int64, isSame: Bool) {
        let sameness = Sameness(
            destination: Self.characteristics(1, settable: 1), source: Self.characteristics(1, settable: 1))
        #expect((sameness.reason(Self.file(source), Self.file(target)) != nil) == isSame)
    }

    /// A server that reports milliseconds does not claim that the rest is 0.
    @Test func milliseconds() {
        let sameness = Sameness(
            destination: Self.characteristics(1, settable: 1),
            source: Self.characteristics(1_000_000_000, settable: nil))
        let source = Self.file(1_700_000_000_123_000_000)
        #expect(sameness.reason(source, Self.file(1_700_000_000_123_456_789)) != nil)
        #expect(sameness.reason(source, Self.file(1_700_000_000_124_456_789)) == nil)
    }

    /// Of the years 2300 and 2400, nothing is left but that they are late.
    @Test(arguments: [Int64.min, .max])
    func timesOutOfRange(limit: Int64) {
        let sameness = Sameness(
            destination: Self.characteristics(1, settable: 1), source: Self.characteristics(1, settable: 1))
        #expect(sameness.reason(Self.file(limit), Self.file(limit)) == nil)
        #expect(sameness.isDoubtful(Self.file(limit), Self.file(limit)))
    }

    /// A time that cannot be set became a later one.
    @Test func timesTooEarly() {
        var destination = Self.characteristics(10_000_000, settable: 10_000_000)
        destination.earliestSettableTime = FileTime(seconds: 315_619_200)
        let sameness = Sameness(destination: destination, source: Self.characteristics(1, settable: 1))
        #expect(sameness.reason(Self.file(0), Self.file(315_532_800_000_000_000)) != nil)
    }
}
