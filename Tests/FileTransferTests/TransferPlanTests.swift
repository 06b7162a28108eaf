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

    @Test("a wrong password is tried once, however many sources there are")
    func refused() async throws {
        let source = HookedProvider(beforeLook: { _ in throw URLError(.userAuthenticationRequired) })
        await #expect(throws: URLError.self) {
            try await TransferPlan(
                from: (["a", "b", "c", "d"] as [ItemPath]).map { TransferEndpoint(source, $0) },
                to: TransferEndpoint(store, "/"), options: impatient())
        }
        #expect(source.asked.withLock { $0 } == ["a"] as [ItemPath])
    }

    @Test("files named one by one are looked up together but for the first, at both ends", .timeLimit(.minutes(5)))
    func together() async throws {
        let names = ["a", "b", "c", "d"]
        /// None but the first is answered before all have been asked for.
        func waiting() -> @Sendable ([ItemPath]) async throws -> Void {
            let seen = Locked<Set<ItemPath>>([])
            return { asked in
                guard let path = asked.last, let name = path.lastComponent?.text, names.contains(name) else { return }
                seen.withLock { _ = $0.insert(path) }
                if name == "a" { return }
                while seen.withLock({ $0.count }) < names.count { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        let (source, target) = (HookedProvider(beforeLook: waiting()), HookedProvider(beforeLook: waiting()))
        for name in names {
            try await source.base.writeContents(path: ItemPath(validating: name), contents: Data(name.utf8))
        }
        try await target.base.createDirectory(path: "t")
        let plan = try await TransferPlan(
            from: names.map { TransferEndpoint(source, try ItemPath(validating: $0)) },
            to: TransferEndpoint(target, "t"), options: impatient())
        #expect(plan.jobs.map(\.source.path.lastComponent?.text) == names)
        #expect(try await Transfer(plan).run().copied == names.count)
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
