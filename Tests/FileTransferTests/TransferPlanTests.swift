import FileProviders
import Foundation
import Testing

@Suite("Transfer plans") struct TransferPlanTests {
    private let store = MemoryFileProvider()

    private func targets(_ sources: [ItemPath], to destination: ItemPath, recursive: Bool = true) async throws
        -> [String]
    {
        var options = TransferOptions()
        options.recursive = recursive
        let plan = try await TransferPlan(
            from: sources.map { TransferEndpoint(store, $0) }, to: TransferEndpoint(MemoryFileProvider(), destination),
            options: options)
        return plan.jobs.map { $0.target.path.description }
    }

    private func fill() async throws {
        try await store.createDirectory(path: "dir/sub", createsParents: true)
        try await store.writeContents(path: "file", contents: Data("1".utf8))
        try await store.writeContents(path: "dir/file", contents: Data("2".utf8))
    }

    @Test("a directory becomes the destination, or goes inside with a trailing slash")
    func directory() async throws {
        try await fill()
        #expect(try await targets(["dir"], to: "new") == ["/new"])
        #expect(try await targets(["dir"], to: "new/") == ["/new/dir"])
        #expect(try await targets(["dir"], to: "/") == ["/"])
    }

    @Test("several sources go inside")
    func several() async throws {
        try await fill()
        #expect(try await targets(["dir", "file"], to: "new") == ["/new/dir", "/new/file"])
    }

    @Test("two sources of one name are an error, named before anything is copied")
    func sameName() async throws {
        try await fill()
        await #expect { try await targets(["file", "dir/file"], to: "new") } throws: { $0.isFileExists }
    }

    @Test("a directory without -r is an error")
    func notRecursive() async throws {
        try await fill()
        await #expect {
            try await targets(["dir"], to: "new", recursive: false)
        } throws: {
            $0.transferRefusal == .directory
        }
    }

    @Test("a missing source is no such file")
    func missing() async throws {
        await #expect { try await targets(["nothing"], to: "new") } throws: { $0.isNoSuchFile }
    }

    @Test("a directory does not go into itself")
    func intoItself() async throws {
        try await fill()
        var options = TransferOptions()
        options.recursive = true
        await #expect(throws: CocoaError.self) {
            _ = try await TransferPlan(
                from: [TransferEndpoint(store, "dir")], to: TransferEndpoint(store, "dir/sub/new"), options: options)
        }
    }
}
