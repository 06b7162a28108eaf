import FileProviding
import Foundation
import Glibc
import LocalFiles
import Synchronization
import Testing

/// A directory on the way turns into a link that leads outside, and back, as fast as the machine can.
@Suite struct SwappedLinkTests {
    @Test(.timeLimit(.minutes(2)), arguments: [PathResolution.kernel, .walk])
    func nothingOutsideIsReadOrChanged(resolution: PathResolution) async throws {
        let scratch = try Scratch()
        let outside = scratch.folder + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: outside + "/file"))
        try scratch.makeDirectory("swapped/inner")
        try scratch.put("inside", at: "swapped/file")
        let provider = try LocalFileProvider(root: LocalPath(scratch.folder + "/root"), resolution: resolution)
        let swapper = Swapper(scratch.at("swapped"), outside: outside, spare: scratch.at("spare"))
        swapper.begin()
        defer { swapper.end() }
        let replacing = OperationOptions(overwrite: true)
        var (reads, refusals) = (0, 0)
        while swapper.count < 10_000 || reads == 0 || refusals == 0 {
            try Task.checkCancellation()
            do {
                #expect(try await provider.text("swapped/file") == "inside")
                reads += 1
            } catch { refusals += 1 }
            _ = try? await provider.write(path: "swapped/new", from: ByteStream("x"), options: replacing)
            // Without the parents: a new "swapped", made while there is none, would end the swapping.
            _ = try? await provider.createDirectory(path: "swapped/a")
            _ = try? await provider.createDirectory(path: "swapped/a/b")
            _ = try? await provider.copyItem(path: "swapped/file", to: "swapped/copy", overwrite: true)
            _ = try? await provider.recursiveListing(path: "/").collect().forEach { #expect($0.name != "only outside") }
            _ = try? await provider.removeItem(path: "swapped/a")
            _ = try? await provider.moveItem(path: "swapped/copy", to: "swapped/moved", overwrite: true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
        #expect(FileManager.default.contents(atPath: outside + "/file") == Data("secret".utf8))
    }
}

/// Exchanges a directory with a link again and again.
private final class Swapper: Sendable {
    private let paths: (directory: String, spare: String)
    private let done = Atomic(0)
    private let isOver = Atomic(false)
    private let hasEnded = Atomic(false)

    init(_ directory: String, outside: String, spare: String) {
        paths = (directory, spare)
        symlink(outside, spare)
    }

    var count: Int { done.load(ordering: .relaxed) }

    func begin() {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                let away = paths.spare + "2"
                rename(paths.directory, away)
                rename(paths.spare, paths.directory)
                rename(away, paths.spare)
                done.add(1, ordering: .relaxed)
            }
            hasEnded.store(true, ordering: .relaxed)
        }
    }

    /// Waits for the last exchange.
    func end() {
        isOver.store(true, ordering: .relaxed)
        while !hasEnded.load(ordering: .relaxed) { sched_yield() }
    }
}
