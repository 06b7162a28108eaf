import FileProviders
import Foundation
import Testing

/// Followed links are resolved as by the kernel.
@Suite("Followed links") struct FollowedLinkTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func copy(_ source: ItemPath, to target: ItemPath) async throws -> TransferReport {
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, source)], to: TransferEndpoint(desk.provider, target),
            options: impatient { $0.symlinks = .follow })
        return try await Transfer(plan).run()
    }

    private func link(_ name: String, to text: String) throws {
        let path = desk.folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: text)
    }

    @Test(
        "“..” leads out of the folder that a link led to",
        arguments: [
            ("current", "../shared/f"), ("current", "more/../../shared/f"), ("other", "../shared/f"),
            ("releases/5", "link/../f"),
        ])
    func parents(source: String, target: String) async throws {
        let right = try desk.fill("releases/shared/f", 20)
        for name in ["shared/f", "releases/5/shared/f"] { try desk.fill(name, 10, seed: 2) }
        try desk.fill("releases/5/more/x", 1)
        try link("current", to: "releases/5")
        try link("other", to: "current")
        try link("releases/5/link", to: "../shared/in")
        try desk.fill("releases/shared/in/x", 1)
        try link("releases/5/f", to: target)
        let report = try await copy(ItemPath(validating: source).asDirectory, to: "out")
        #expect(report.isComplete, "\(report.failures)")
        #expect(try desk.read("out/f") == right)
        // The kernel's result.
        #expect(try desk.read("\(source)/f") == right)
    }

    @Test("a link to a folder above the destination is not followed", arguments: ["../..", "../../d", "../../d/sub"])
    func aboveTheDestination(target: String) async throws {
        try desk.fill("in/s/sub/a", 10)
        try link("in/s/sub/l", to: "../" + target)
        try desk.fill("d/sub/l/old", 10)
        let report = try await copy("in/s", to: "d")
        #expect(report.failures.count == 1, "\(report)")
        #expect(try desk.read("d/sub/a").count == 10)
        #expect(try await desk.provider.contentsOfDirectory(path: "d/sub/l").count == 1)
    }

    @Test("a link to a folder that contains it is not followed, however it was reached")
    func upwards() async throws {
        try desk.fill("releases/5/sub/a", 10)
        try link("current", to: "releases/5")
        try link("releases/5/sub/up", to: "..")
        let report = try await copy(ItemPath("current").asDirectory, to: "out")
        #expect(report.copied == 1 && report.failures.count == 1, "\(report)")
        #expect(try await desk.provider.contentsOfDirectory(path: "out/sub").map(\.name) == ["a"])
    }

    @Test("a cyclic or broken link is reported")
    func circles() async throws {
        try desk.fill("s/a", 10)
        try link("s/x", to: "y/../y")
        try link("s/y", to: "x")
        try link("s/z", to: "a/../a")
        try link("s/w", to: "sub/none/../../a")
        let report = try await copy("s", to: "d")
        #expect(report.copied == 1 && report.failures.count == 4, "\(report.failures.compactMap(\.error))")
    }
}
