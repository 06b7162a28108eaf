import FileProviding
import Foundation
import Glibc
import Testing

@testable import LocalFiles

/// What items have besides contents, times and permissions, where a file system keeps it.
@Suite struct ExtendedAttributesTests {
    private static let own = Array("user.note".utf8)

    /// An access list as the kernel has it: the owner and the user 12345 may read and write, the group and others
    /// nothing. What both may together, the mask, shows as the group's permissions.
    private static let list = list(mask: 6)

    private static func list(mask: UInt8) -> [UInt8] {
        let entries: [(kind: UInt8, permissions: UInt8, user: UInt16?)] = [
            (1, 6, nil), (2, 6, 12345), (4, 0, nil), (16, mask, nil), (32, 0, nil),
        ]
        var bytes: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            bytes += [entry.kind, 0, entry.permissions, 0]
            bytes += entry.user.map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0, 0] } ?? [255, 255, 255, 255]
        }
        return bytes
    }

    private static func keeps(_ place: String) -> Bool {
        guard let scratch = try? Scratch(in: place), (try? scratch.put("", at: "file")) != nil,
            let file = try? item("file", in: scratch)
        else { return false }
        return [own, accessList].allSatisfy { file.setExtendedAttribute($0, to: list) == 0 }
    }

    private static let areKept = keeps(NSTemporaryDirectory())
    private static let areKeptElsewhere = areKept && keeps("/dev/shm")

    private static func item(_ path: String, in scratch: Scratch) throws -> LocalFileHandle {
        LocalFileHandle(owning: try systemCall { open(scratch.at(path), O_RDONLY) })
    }

    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    /// A tree whose items have their paths for an attribute, and a file in it with an access list.
    private func makeTree() throws {
        try scratch.makeDirectory("tree")
        try scratch.put("text", at: "tree/file")
        for path in ["tree", "tree/file"] {
            let item = try Self.item(path, in: scratch)
            #expect(item.setExtendedAttribute(Self.own, to: Array(path.utf8)) == 0)
        }
        #expect(try Self.item("tree/file", in: scratch).setExtendedAttribute(accessList, to: Self.list) == 0)
    }

    /// - Parameter mask: the permissions that are removed (umask).
    private func expectTree(_ path: String, in scratch: Scratch, mask: UInt16 = 0) throws {
        let (directory, file) = (try Self.item(path, in: scratch), try Self.item(path + "/file", in: scratch))
        #expect(try directory.extendedAttribute(Self.own) == Array("tree".utf8))
        #expect(try file.extendedAttribute(Self.own) == Array("tree/file".utf8))
        #expect(try file.extendedAttribute(accessList) == Self.list(mask: 6 & ~UInt8(mask >> 3 & 7)))
        #expect(try file.status().permissions == mode_t(0o660 & ~mask))
    }

    @Test(.enabled(if: areKept, "needs a file system that keeps them"))
    func copied() async throws {
        try makeTree()
        try await provider.copyItem(path: "tree", to: "copy")
        try expectTree("copy", in: scratch, mask: try processMask())
        try scratch.makeDirectory("single")
        try await provider.copyItem(path: "tree", to: "single/tree")
        try await provider.copyItem(path: "tree/file", to: "single/tree/file", overwrite: true)
        try expectTree("single/tree", in: scratch, mask: try processMask())
    }

    @Test(.enabled(if: areKeptElsewhere, "needs two file systems that keep them"))
    func movedToAnotherFileSystem() async throws {
        let far = try Scratch(in: "/dev/shm")
        try #require(far.status("")?.st_dev != scratch.status("")?.st_dev, "needs two file systems")
        try makeTree()
        let everything = try LocalFileProvider(root: LocalPath("/"))
        let (here, there) = (try ItemPath(validating: scratch.at("")), try ItemPath(validating: far.at("")))
        try await everything.moveItem(path: here.appending("tree"), to: there.appending("moved"))
        try expectTree("moved", in: far)
    }

    @Test(.enabled(if: areKeptElsewhere, "needs two file systems that keep them"))
    func aMovedFolderGivesNewItemsWhatItGaveBefore() async throws {
        let far = try Scratch(in: "/dev/shm")
        let key = Array("system.posix_acl_default".utf8)
        for name in ["plain", "giving"] { try scratch.makeDirectory(name) }
        #expect(try Self.item("giving", in: scratch).setExtendedAttribute(key, to: Self.list) == 0)
        #expect(try Self.item("", in: far).setExtendedAttribute(key, to: Self.list(mask: 4)) == 0)
        let everything = try LocalFileProvider(root: LocalPath("/"))
        let (here, there) = (try ItemPath(validating: scratch.at("")), try ItemPath(validating: far.at("")))
        for name in ["plain", "giving"] as [ItemPath] {
            try await everything.moveItem(path: here.appending(name), to: there.appending(name))
        }
        #expect(try Self.item("plain", in: far).extendedAttribute(key) == nil)
        #expect(try Self.item("giving", in: far).extendedAttribute(key) == Self.list)
    }

    /// Without the list, the group might read what it could not.
    @Test(.enabled(if: areKept, "needs a file system that keeps them"))
    func aReplacedFileHandsOnItsAccessList() async throws {
        try makeTree()
        let options = OperationOptions(overwrite: true)
        try await provider.write(path: "tree/file", from: ByteStream("new"), options: options)
        try scratch.put("copied", at: "other")
        try await provider.copyItem(path: "other", to: "tree/file", overwrite: true)
        let context = OperationContext(options: options)
        let upload = try await provider.beginPartialWrite(path: "tree/file", length: nil, resuming: nil, in: context)
        try await upload.append(ByteStream("newer"), in: context)
        _ = try await upload.commit(in: context)
        #expect(scratch.text("tree/file") == "newer")
        let file = try Self.item("tree/file", in: scratch)
        #expect(try file.extendedAttribute(accessList) == Self.list)
        #expect(try file.status().permissions == 0o660)
    }

    /// A directory's default list would let others read what they could not.
    @Test(.enabled(if: areKept, "needs a file system that keeps them"))
    func aFileWithoutAListTakesNoneFromItsDirectory() async throws {
        try scratch.makeDirectory("tree")
        try scratch.put("text", at: "tree/file")
        chmod(scratch.at("tree/file"), 0o660)
        let isSet = try Self.item("tree", in: scratch)
            .setExtendedAttribute(Array("system.posix_acl_default".utf8), to: Self.list)
        #expect(isSet == 0)
        try scratch.put("text", at: "tree/other")
        #expect(try Self.item("tree/other", in: scratch).extendedAttribute(accessList) != nil)
        try await provider.write(path: "tree/file", from: ByteStream("new"), options: OperationOptions(overwrite: true))
        let file = try Self.item("tree/file", in: scratch)
        #expect(try file.extendedAttribute(accessList) == nil)
        #expect(try file.status().permissions == 0o660)
    }

    @Test(.enabled(if: geteuid() == 0, "needs a second group"))
    func aReplacedFileKeepsItsGroupWhereTheDirectoryGivesAnother() async throws {
        try scratch.makeDirectory("shared")
        try scratch.put("text", at: "shared/file")
        chmod(scratch.at("shared/file"), 0o660)
        #expect(chown(scratch.at("shared"), .max, 12345) == 0)
        chmod(scratch.at("shared"), 0o2770)
        try await provider.write(
            path: "shared/file", from: ByteStream("new"), options: OperationOptions(overwrite: true))
        let status = try #require(scratch.status("shared/file"))
        #expect(status.st_gid == getegid())
        #expect(status.st_mode & 0o777 == 0o660)
    }

    @Test(.enabled(if: areKept, "needs a file system that keeps them"))
    func whereAListCannotBeTakenOverTheGroupGetsNothing() throws {
        try makeTree()
        var ends: [Int32] = [0, 0]
        try systemCall { pipe(&ends) }
        let pipes = ends.map { LocalFileHandle(owning: $0) }
        let (listed, other) = (try Self.item("tree/file", in: scratch), try Self.item("tree", in: scratch))
        #expect(pipes[1].takeAccessList(of: listed) == 0o7707)
        #expect(pipes[1].takeAccessList(of: other) == 0o7777)
    }
}
