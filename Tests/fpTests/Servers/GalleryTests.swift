import FileProviding
import Foundation
import GalleryServer
import Testing

/// `fp` on a gallery: reads, refuses to change, and watches by looking again.
@Suite struct GalleryTests {
    private let work: Workspace
    private let server: GalleryServer
    private let location: String

    init() throws {
        work = try Workspace()
        let picture = Data(base64Encoded: Self.picture) ?? Data()
        for image in ["served/a.png", "served/不是/b c.png"] {
            try picture.write(to: work.write(image))
        }
        server = try GalleryServer(serving: LocalPath(work.folder.appending(path: "served").path))
        location = "gallery+http://127.0.0.1:\(try #require(server.url.port))"
    }

    @Test func categoriesAreListedAndImagesCopied() throws {
        #expect(try work.fp("ls", "-R", "--sort", "name", location + "/").lines == ["a.png", "不是/", "不是/b c.png"])
        let copying = try work.fp("cp", "-r", location + "/", "copied")
        #expect(copying.status == 0, "\(copying)")
        #expect(
            try Data(contentsOf: work.folder.appending(path: "copied/不是/b c.png"))
                == Data(contentsOf: work.folder.appending(path: "served/不是/b c.png")))
    }

    @Test func aChangeIsRefused() throws {
        let outcome = try work.fp("rm", location + "/a.png")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("read-only"))
        #expect(try work.fp("cp", "served/a.png", location + "/new.png").errors.contains("read-only"))
    }

    @Test func watchingLooksAgainAndSaysSo() throws {
        let running = try work.program.start("watch", "--interval", "0.2", location + "/")
        defer { server.stop() }
        #expect(running.wait { server.requests.count > 2 })
        try work.write("served/new.png")
        #expect(running.wait { running.outputSoFar.contains("created   \(location)/new.png\n") })
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors.contains("Gallery does not tell of changes: looking every 0.2 s"))
    }

    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR4nGNgoA4AAABIAAEuuDx+AAAAAElFTkSuQmCC"
}
