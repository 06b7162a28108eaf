import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

/// Both ways to resolve a path, which must give the same.
@Suite struct ConfinementTests {
    let scratch: Scratch
    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.folder + "/outside", withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: scratch.folder + "/outside/file"))
        try scratch.makeDirectory("folder/inner")
        try scratch.put("text", at: "folder/file")
        let links = [
            ("absolute", scratch.folder + "/outside"), ("up", "../outside"), ("sly", "folder/inner/../../../outside"),
            ("itself", scratch.at("folder")), ("within", "folder"), ("around", "folder/inner/../../folder/./file"),
            ("folder/back", "../folder/inner/.."), ("loop", "loop2"), ("loop2", "loop"), ("chain", "within"),
            ("dots", "folder/inner/.."),
        ]
        for (link, target) in links { try scratch.makeLink(link, to: target) }
    }

    private func provider(_ resolution: PathResolution) throws -> LocalFileProvider {
        try LocalFileProvider(root: LocalPath(scratch.folder + "/root"), resolution: resolution)
    }

    static let resolutions: [PathResolution] = [.kernel, .walk]

    @Test(arguments: resolutions, ["absolute", "up", "sly", "itself"])
    func leavingIsRefused(resolution: PathResolution, link: String) async throws {
        let provider = try provider(resolution)
        let inside = try ItemPath(validating: link + "/file")
        let options = OperationOptions(overwrite: true, createsParents: true)
        let link = try ItemPath(validating: link)
        let failures = [
            await failure { try await provider.read(path: inside) },
            await failure { try await provider.attributesOfItem(path: inside) },
            await failure { try await provider.listing(path: link).collect() },
            await failure { try await provider.changes(path: link, recursive: true) },
            await failure { try await provider.write(path: inside, from: ByteStream("changed"), options: options) },
            await failure { try await provider.removeItem(path: inside) },
            await failure { try await provider.createDirectory(path: link.appending("new"), createsParents: true) },
            await failure { try await provider.moveItem(path: inside, to: "stolen") },
            await failure { try await provider.copyItem(path: "folder/file", to: link.appending("new")) },
            await failure { try await provider.moveItem(path: "folder/file", to: inside, overwrite: true) },
            await failure { try await provider.trash(path: inside) },
        ]
        for (number, error) in failures.enumerated() {
            let code = (error as? CocoaError)?.code
            #expect(code == .fileReadNoPermission || code == .fileWriteNoPermission, "attempt \(number)")
            let text = error.map { ($0 as NSError).localizedDescription } ?? ""
            #expect(text.contains("leads outside the provider's root"), "attempt \(number)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/outside") == ["file"])
        #expect(FileManager.default.contents(atPath: scratch.folder + "/outside/file") == Data("secret".utf8))
    }

    @Test(arguments: resolutions, ["within/file", "around", "folder/back/file", "chain/file", "dots/file"])
    func stayingIsFine(resolution: PathResolution, path: String) async throws {
        #expect(try await provider(resolution).text(ItemPath(validating: path)) == "text")
    }

    @Test(arguments: resolutions) func circles(resolution: PathResolution) async throws {
        let provider = try provider(resolution)
        #expect(await message { try await provider.read(path: "loop") }.contains("too many levels"))
        #expect(await message { try await provider.read(path: "loop/x") }.contains("too many levels"))
        #expect(try await provider.attributesOfItem(path: "loop").isSymLink)
    }

    @Test(arguments: resolutions) func theSameErrorsElsewhere(resolution: PathResolution) async throws {
        let provider = try provider(resolution)
        #expect(await failure { try await provider.read(path: "missing/file") }?.isNoSuchFile == true)
        #expect(await failure { try await provider.read(path: "folder/file/x") }?.isNoSuchFile == true)
        #expect(await failure { try await provider.listing(path: "folder/file").collect() }?.isNotADirectory == true)
        #expect(await failure { try await provider.read(path: "folder") }?.isADirectory == true)
        #expect(try await provider.listing(path: "dots").collect().count == 3)
        #expect(try await provider.attributesOfItem(path: "within/").isDirectory)
        #expect(try await provider.attributesOfItem(path: "within").isSymLink)
    }

    @Test func fromTheWholeSystemEveryLinkIsFollowed() async throws {
        let provider = try LocalFileProvider(root: LocalPath("/"))
        let base = try ItemPath(validating: scratch.at(""))
        #expect(try await provider.text(base.appending(ItemPath("absolute/file"))) == "secret")
        #expect(try await provider.text(base.appending(ItemPath("up/file"))) == "secret")
    }

    @Test func aRootThatIsALink() async throws {
        let provider = try LocalFileProvider(root: LocalPath(scratch.at("within")))
        #expect(try await provider.text("file") == "text")
        #expect(provider.identity == (try LocalFileProvider(root: LocalPath(scratch.at("folder"))).identity))
    }

    @Test func noRoot() throws {
        try scratch.put("", at: "plain")
        #expect { try LocalFileProvider(root: LocalPath(scratch.at("none"))) } throws: { $0.isNoSuchFile }
        #expect { try LocalFileProvider(root: LocalPath(scratch.at("plain"))) } throws: { $0.isNotADirectory }
    }
}
