import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// `fp cp` killed with SIGKILL again and again while bytes travel, then run once more.
@Suite(.enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"), .serialized)
struct KillCampaignTests {
    /// What travels where.
    struct Course: Sendable, CustomStringConvertible {
        let place: RemotePlace
        let isUpload: Bool
        let isTree: Bool

        static let all: [Course] = RemotePlace.all.flatMap { place in
            [(true, false), (true, true), (false, false), (false, true)].map {
                Course(place: place, isUpload: $0.0, isTree: $0.1)
            }
        }

        var description: String { "\(place) \(isUpload ? "up" : "down") \(isTree ? "tree" : "file")" }
    }

    private static let rounds = Campaign.isFull ? 13 : 1
    private static let fileSize = (Campaign.isFull ? 256 : 24) << 20
    private static let fileCount = Campaign.isFull ? 500 : 60
    private static let allowance = 8 << 20

    private let work: Workspace
    private let folder = "kill-\(UUID().uuidString)"

    init() throws { work = try Workspace() }

    @Test(arguments: Course.all)
    func whatWasKilledIsContinued(course: Course) throws {
        let place = course.place
        let root = URL(fileURLWithPath: place.server.folder.description).appendingPathComponent(folder)
        let proxy = try FaultProxy(to: place.port)
        defer { proxy.stop() }
        let location = place.location(through: proxy.port) + folder
        let access = try place.arguments(in: work, through: proxy.port)
        #expect(try work.program.run(["mkdir"] + access + [location]).status == 0)
        defer { _ = try? work.program.run(["rm", "-rf"] + access + [location]) }
        for round in 0..<Self.rounds {
            var random = SeededGenerator(seed: UInt64(round + 1))
            let name = "r\(round)"
            let size = try makeSource(course.isUpload ? work.folder : root, name, course, &random)
            let ends = course.isUpload ? [name, "\(location)/\(name)"] : ["\(location)/\(name)", name]
            let before = proxy.traffic
            let sent = {
                course.isUpload
                    ? proxy.traffic.bytesToServer - before.bytesToServer
                    : proxy.traffic.bytesToClient - before.bytesToClient
            }
            var kills = 0
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let moment = sent() + Int.random(in: 0..<size, using: &random)
                if try killed(access + ends, when: { sent() >= moment }) { kills += 1 }
            }
            let last = try work.program.run(["cp", "-r"] + access + ends)
            #expect(last.status == 0, "\(course) round \(round): \(last.errors)")
            let (here, there) = (work.folder.appendingPathComponent(name), root.appendingPathComponent(name))
            #expect(
                try work.program.shell("diff -rq -x .sabredav '\(here.path)' '\(there.path)'").text == "",
                "\(course) \(round)")
            // Requests and replies have heads; a tree has many. SSH has one for each packet.
            let heads = ((course.isTree ? 4 * Self.fileCount : 200) << 10) + (place.transport == nil ? 0 : size / 100)
            #expect(sent() <= size + kills * Self.allowance + heads, "\(course) round \(round): \(kills) kills")
            #expect(try strays(in: root) + strays(in: work.folder) == [], "\(course) round \(round)")
            #expect(try work.fp("transfers", "list").text == "")
            for item in [here, there] { try FileManager.default.removeItem(at: item) }
        }
    }

    private func makeSource(
        _ folder: URL, _ name: String, _ course: Course, _ random: inout SeededGenerator
    ) throws -> Int {
        let item = folder.appendingPathComponent(name)
        guard course.isTree else {
            try random.bytes(Self.fileSize).write(to: item)
            return Self.fileSize
        }
        var size = 0
        for index in 0..<Self.fileCount {
            let parent = item.appendingPathComponent("d\(index % 7)/e\(index % 3)")
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            let count = index % 50 == 0 ? 1 << 20 : Int.random(in: 0...20_000, using: &random)
            try random.bytes(count).write(to: parent.appendingPathComponent("f\(index)"))
            size += count
        }
        return size
    }

    /// Runs the copy until `isTime`, then kills it; `false` when it came to its end before.
    private func killed(_ arguments: [String], when isTime: () -> Bool) throws -> Bool {
        let running = try work.program.start(["cp", "-r"] + arguments)
        while running.process.isRunning, !isTime() { usleep(500) }
        let wasRunning = kill(running.process.processIdentifier, SIGKILL) == 0
        return try running.wait().status == 128 + SIGKILL && wasRunning
    }

    private func strays(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".fp-") }
    }
}
