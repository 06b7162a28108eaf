import FileProviding
import Foundation
import Glibc
import Testing

@testable import LocalFiles

@Suite struct AttributesTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test func everythingThatTheKernelTells() async throws {
        try scratch.put("hello", at: "file")
        chmod(scratch.at("file"), 0o640)
        link(scratch.at("file"), scratch.at("other"))
        let file = try await provider.attributesOfItem(path: "file")
        let status = try #require(scratch.status("file"))
        #expect(file.type == .regular)
        #expect(file.name == "file" && file.path == "/file")
        #expect(file.size == 5)
        #expect(file.permissions == 0o640)
        #expect(file.linkCount == 2)
        #expect(file.owner == "\(isSuperuser ? "root" : NSUserName())")
        #expect(file.group != nil)
        #expect(file.modificationTime?.seconds == Int64(status.st_mtim.tv_sec))
        #expect(file.modificationTime?.subsecond == Int64(status.st_mtim.tv_nsec))
        let other = try await provider.attributesOfItem(path: "other")
        #expect(file.fileID != nil && other.fileID == file.fileID)
    }

    @Test func anInodeThatIsGivenAgainIsNotTheSameItem() throws {
        try scratch.put("", at: "file")
        let status = try LocalFileHandle(reading: LocalPath(scratch.at("file"))).status()
        try #require(status.created != .min, "this file system keeps no birth times")
        var later = status
        later.created += 1
        #expect(later.identity == status.identity && later.fileID != status.fileID)
    }

    @Test func aDiskThatIsPluggedInElsewhereHasTheSameItems() throws {
        try scratch.put("", at: "file")
        var status = try LocalFileHandle(reading: LocalPath(scratch.at("file"))).status()
        status.created = 1_700_000_000_123_456_789
        var elsewhere = status
        elsewhere.device += 1
        #expect(elsewhere.fileID == status.fileID)
        status.created = .min
        elsewhere.created = .min
        #expect(elsewhere.fileID != status.fileID, "without a birth time only the device tells two disks apart")
    }

    @Test func aNumberThatFATMakesUpIdentifiesNothing() throws {
        try scratch.put("", at: "file")
        var status = try LocalFileHandle(reading: LocalPath(scratch.at("file"))).status()
        try #require(status.keepsInode && status.fileID != nil, "the tests run on a file system that numbers its files")
        status.keepsInode = false
        var mountedAgain = status
        mountedAgain.inode += 1
        #expect(mountedAgain.fileID == nil && mountedAgain.etag == status.etag)
    }

    @Test func creationIsTheBirthAndNotTheLastChange() async throws {
        try scratch.put("hello", at: "file")
        let before = try await provider.attributesOfItem(path: "file")
        try #require(before.creationTime != nil, "this file system keeps no birth times")
        usleep(20_000)
        chmod(scratch.at("file"), 0o600)
        try scratch.put("hello again", at: "other")
        let after = try await provider.attributesOfItem(path: "file")
        #expect(after.creationTime == before.creationTime)
    }

    @Test func directoriesHaveNoSize() async throws {
        try scratch.makeDirectory("folder")
        let folder = try await provider.attributesOfItem(path: "folder")
        #expect(folder.isDirectory && folder.size == nil)
        let root = try await provider.attributesOfItem(path: "/")
        #expect(root.isDirectory && root.path.isRoot)
    }

    @Test func linksAreDescribedThemselves() async throws {
        try scratch.makeLink("dangling", to: "no/where")
        let link = try await provider.attributesOfItem(path: "dangling")
        #expect(link.isSymLink)
        #expect(link.linkTarget == "no/where")
        #expect(try await provider.destination(ofSymbolicLink: "dangling") == "no/where")
        try scratch.put("", at: "file")
        #expect(await failure { try await provider.destination(ofSymbolicLink: "file") } is CocoaError)
    }

    @Test func targetsLongerThanABuffer() async throws {
        let target = String(repeating: "x/", count: 1500)
        try scratch.makeLink("link", to: target)
        #expect(try await provider.attributesOfItem(path: "link").linkTarget == LinkTarget(target))
    }

    @Test(arguments: ["missing", "missing/below", "file/below", "file/"])
    func missing(path: String) async throws {
        try scratch.put("", at: "file")
        let error = await failure { try await provider.attributesOfItem(path: ItemPath(validating: path)) }
        #expect(error?.isNoSuchFile == true)
    }

    @Test func nothingHasAnIdentifier() async throws {
        #expect(await failure { try await provider.attributesOfItem(path: "id:abcd") }?.isNoSuchFile == true)
    }

    @Test func times() async throws {
        let moments = [0, 1, -1, 1_700_000_000_123_456_789, -86_400_000_000_000]
        for moment in moments.map({ FileTime(nanoseconds: Int64($0)) }) {
            var options = OperationOptions(overwrite: true)
            options.attributes.modificationTime = moment
            let file = try await provider.write(path: "file", from: ByteStream("x"), options: options)
            #expect(file.modificationTime == moment)
        }
    }

    @Test func aFileNamedAsADirectoryIsNotChanged() async throws {
        try scratch.put("", at: "file")
        chmod(scratch.at("file"), 0o640)
        let attributes = ItemAttributes(permissions: 0)
        #expect(await failure { try await provider.setAttributes(attributes, of: "file/") }?.isNoSuchFile == true)
        #expect(scratch.status("file")?.st_mode == S_IFREG | 0o640)
    }
}
