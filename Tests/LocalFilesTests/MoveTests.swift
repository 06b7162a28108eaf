import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct MoveTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test func aDirectoryKeepsItsIdentity() async throws {
        try scratch.makeDirectory("a/inner")
        try scratch.makeDirectory("b")
        let before = try await provider.attributesOfItem(path: "a")
        let after = try await provider.moveItem(path: "a", to: "b/c")
        #expect(after?.fileID == before.fileID && after?.path == "b/c")
        #expect(try scratch.names() == ["b"])
        #expect(try scratch.names("b/c") == ["inner"])
    }

    @Test func linksMoveThemselves() async throws {
        try scratch.put("text", at: "file")
        try scratch.makeLink("link", to: "file")
        let moved = try await provider.moveItem(path: "link", to: "other")
        #expect(moved?.linkTarget == "file")
        #expect(try scratch.names() == ["file", "other"])
    }

    @Test func ofManyRacingMovesWithoutOverwriteOneWins() async throws {
        for round in 0..<30 {
            let target = try ItemPath(validating: "target\(round)")
            for number in 0..<6 { try scratch.put("\(number)", at: "source\(number)") }
            let failures = await withTaskGroup(of: (any Error)?.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        await failure {
                            let source = try ItemPath(validating: "source\(number)")
                            return try await provider.moveItem(path: source, to: target)
                        }
                    }
                }
                return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
            }
            #expect(failures.count == 5 && failures.allSatisfy(\.isFileExists))
        }
    }

    /// `/dev/shm` is another file system than the temporary folder on any usual machine.
    @Test func toAnotherFileSystem() async throws {
        let far = try Scratch(in: "/dev/shm")
        try #require(far.status("")?.st_dev != scratch.status("")?.st_dev, "needs two file systems")
        try scratch.makeDirectory("tree/inner")
        try scratch.put("text", at: "tree/inner/file")
        try scratch.put("text", at: "file")
        try scratch.makeLink("tree/link", to: "inner")
        chmod(scratch.at("tree/inner/file"), 0o604)
        if isSuperuser { chown(scratch.at("tree/inner/file"), 12345, 54321) }
        let original = try #require(scratch.status("tree/inner/file"))

        let everything = try LocalFileProvider(root: LocalPath("/"))
        let (here, there) = (try ItemPath(validating: scratch.at("")), try ItemPath(validating: far.at("")))
        try await everything.moveItem(path: here.appending("tree"), to: there.appending("moved"))
        try await everything.moveItem(path: here.appending("file"), to: there.appending("file"))
        let moved = try #require(far.status("moved/inner/file"))
        #expect(moved.st_mode == original.st_mode && moved.st_uid == original.st_uid && moved.st_gid == original.st_gid)
        #expect(moved.st_mtim.tv_nsec == original.st_mtim.tv_nsec)
        #expect(far.text("moved/inner/file") == "text" && far.text("file") == "text")
        #expect(try scratch.names().isEmpty)
        #expect(try far.names() == ["file", "moved"])
        try await everything.copyItem(path: there.appending("moved"), to: here.appending("back"))
        #expect(scratch.text("back/inner/file") == "text")
    }
}
