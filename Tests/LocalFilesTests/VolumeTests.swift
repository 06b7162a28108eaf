import FileProviding
import Foundation
import Glibc
import Testing

@testable import LocalFiles

@Suite struct VolumeTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test func numbers() async throws {
        let volume = try #require(try await provider.storageProperties())
        let total = try #require(volume.totalCapacity)
        let used = try #require(volume.usage)
        #expect(total > 0 && total >= used && used >= 0)
        #expect(try #require(volume.availableCapacity) <= total)
        #expect(volume.isReadOnly == false)
        #expect(volume.name?.hasPrefix("/") == true)
        let characteristics = try await provider.characteristics(path: .root)
        #expect(characteristics.maximumNameLength == 255)
        #expect(characteristics.family?.isEmpty == false)
    }

    @Test func aFileSystemBelowTheRootHasItsOwn() async throws {
        let everything = try LocalFileProvider(root: LocalPath("/"))
        #expect(try await everything.storageProperties(path: "proc/version")?.name == "/proc")
        #expect(try await everything.characteristics(path: "proc").family == "proc")
    }

    @Test func linesOfTheMountTable() throws {
        let line = #"36 35 98:0 /mnt1 /mnt/with\040blank rw,noatime master:1 shared:2 - ext3 /dev/root rw"#
        let mount = try #require(Mount(line: Data(line.utf8)))
        #expect(mount.id == 36 && mount.point == LocalPath("/mnt/with blank") && mount.fileSystem == "ext3")
        #expect(Mount(line: Data("36 35 98:0".utf8)) == nil)
        #expect(Mount.all().contains { $0.point == LocalPath("/proc") && $0.fileSystem == "proc" })
    }

    @Test func aReadOnlyFileSystem() async throws {
        let provider = try LocalFileProvider(root: LocalPath("/proc"))
        #expect(await failure { try await provider.write(path: "new", from: ByteStream("x")) } is CocoaError)
        let system = try LocalFileProvider(root: LocalPath("/proc/self"))
        #expect(try await system.attributesOfItem(path: "exe").isSymLink)
        #expect(await failure { try await system.read(path: "exe") } is CocoaError, "magic links are not followed")
    }
}
