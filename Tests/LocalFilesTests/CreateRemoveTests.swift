import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct CreateRemoveTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test func creatingIsIdempotent() async throws {
        for _ in 0..<2 {
            #expect(try await provider.createDirectory(path: "folder/")?.isDirectory == true)
            #expect(try await provider.createDirectory(path: "/")?.isDirectory == true)
        }
        try scratch.put("", at: "file")
        #expect(await failure { try await provider.createDirectory(path: "file") }?.isFileExists == true)
        #expect(await failure { try await provider.createDirectory(path: "a/b") }?.isNoSuchFile == true)
        try await provider.createDirectory(path: "a/b", createsParents: true)
        #expect(scratch.exists("a/b"))
    }

    @Test func createdWithAttributes() async throws {
        let time = FileTime(nanoseconds: 1_000_000_000_000_000_001)
        let attributes = ItemAttributes(modificationTime: time, permissions: 0o2751)
        let folder = try await provider.run(.create("folder"), options: OperationOptions(attributes: attributes))
        #expect(folder?.permissions == 0o2751 && folder?.modificationTime == time)
    }

    @Test func links() async throws {
        try await provider.create(symbolicLink: "link", withDestinationPath: "../far/away")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.at("link")) == "../far/away")
        let again = await failure { try await provider.create(symbolicLink: "link", withDestinationPath: "x") }
        #expect(again?.isFileExists == true)
        let nowhere = await failure { try await provider.create(symbolicLink: "no/link", withDestinationPath: "x") }
        #expect(nowhere?.isNoSuchFile == true)
    }

    @Test func removingNeverFollows() async throws {
        try scratch.makeDirectory("tree/inner")
        try scratch.makeDirectory("kept")
        try scratch.put("kept", at: "kept/file")
        try scratch.makeLink("tree/inner/link", to: "../../kept")
        try scratch.makeLink("link", to: "kept")
        try await provider.removeItem(path: "tree")
        try await provider.removeItem(path: "link")
        #expect(try scratch.names() == ["kept"])
        #expect(scratch.text("kept/file") == "kept")
    }

    @Test func missingAndRoot() async throws {
        try scratch.put("", at: "file")
        try scratch.makeLink("link", to: ".")
        for path in ["missing", "missing/below", "file/", "link/"] as [ItemPath] {
            #expect(await failure { try await provider.removeItem(path: path) }?.isNoSuchFile == true, "\(path)")
        }
        #expect(await failure { try await provider.removeItem(path: "/") } is CocoaError)
        #expect(try scratch.names() == ["file", "link"])
    }

    @Test func onlyTheExpectedVersionIsRemoved() async throws {
        func remove(expecting version: FileVersion) async throws {
            _ = try await provider.run(.remove("file"), options: OperationOptions(expecting: version))
        }
        try scratch.put("old", at: "file")
        let old = try await provider.attributesOfItem(path: "file").version
        try scratch.put("changed", at: "file")
        #expect(await failure { try await remove(expecting: old) }?.isItemChanged == true)
        #expect(scratch.text("file") == "changed")
        try await remove(expecting: provider.attributesOfItem(path: "file").version)
        #expect(!scratch.exists("file"))
    }

    @Test(.enabled(if: !isSuperuser, "the superuser may remove everything"))
    func anUndeletableChildIsNamedAndTheRestGoes() async throws {
        try scratch.makeDirectory("tree/protected")
        try scratch.makeDirectory("tree/unreadable")
        try scratch.put("", at: "tree/protected/file")
        for name in ["a", "z"] { try scratch.put("", at: "tree/" + name) }
        chmod(scratch.at("tree/protected"), 0o500)
        chmod(scratch.at("tree/unreadable"), 0)
        defer { chmod(scratch.at("tree/protected"), 0o700) }
        let error = await failure { try await provider.removeItem(path: "tree") }
        #expect((error as? CocoaError)?.code == .fileWriteNoPermission)
        #expect((error as? CocoaError)?.filePath == "/tree/protected/file")
        #expect(try scratch.names("tree") == ["protected"])
    }

    @Test func aDeepTree() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let depth = min(1500, Int(limit.rlim_cur) / 4)
        let path = String(repeating: "d/", count: depth) + "file"
        let options = OperationOptions(createsParents: true)
        try await provider.write(path: ItemPath(validating: path), from: ByteStream("deep"), options: options)
        try await provider.copyItem(path: "d", to: "e")
        #expect(try await provider.recursiveListing(path: "e").collect().count == depth)
        for tree in ["d", "e"] as [ItemPath] { try await provider.removeItem(path: tree) }
        #expect(try scratch.names().isEmpty)
    }
}
