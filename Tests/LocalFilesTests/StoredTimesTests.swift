import FileProviding
import Testing

@testable import LocalFiles

@Suite struct StoredTimesTests {
    @Test(
        arguments: [
            ("ext4", 1), ("tmpfs", 1), ("exfat", 10_000_000), ("vfat", 2_000_000_000), ("ntfs3", 100),
            ("fuse.sshfs", 1_000_000_000),
        ] as [(String, Int64)])
    func precision(fileSystem: String, precision: Int64) {
        #expect(StoredTimes(fileSystem: fileSystem).precision == precision)
    }

    /// Files from 1970, as some archives have them, count as older than what FAT makes of them, in every time zone.
    @Test func earliestOfFAT() throws {
        let earliest = try #require(StoredTimes(fileSystem: "exfat").earliest)
        let year: Int64 = 31_556_952
        #expect(FileTime(seconds: 9 * year) < earliest && earliest < FileTime(seconds: 11 * year))
    }
}
