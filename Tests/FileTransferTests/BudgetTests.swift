import FileProviders
import Foundation
import Testing

/// How many requests a transfer costs.
@Suite("Requests", .enabled(if: Place.names.contains("APACHE"), "needs Scripts/test-servers"))
struct BudgetTests {
    private static let folders = 10
    private static let files = 20

    @Test("one request for each new file on mod_dav, and one listing for each folder when nothing changed")
    func uploads() async throws {
        let (desk, place) = (try Desk(), try await Place("APACHE"))
        for index in 0..<(Self.folders * Self.files) {
            try desk.fill("tree/d\(index % Self.folders)/f\(index)", 100, seed: UInt64(index))
        }
        let there = TransferEndpoint(place.provider, try place.folder.appending("tree"))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree")], to: there, options: impatient())
        let before = try place.requests().count
        #expect(try await Transfer(plan).run().copied == Self.folders * Self.files)
        let isPut = { (line: String) in line.hasPrefix("PUT") }
        let first = try await place.requests { $0.count(where: isPut) == Self.folders * Self.files }.dropFirst(before)
        let puts = first.count(where: isPut)
        #expect(puts == Self.folders * Self.files)
        // A folder is made once; what else there is does not grow with the files.
        #expect(first.count - puts <= Self.folders + 6, "\(first.filter { !$0.hasPrefix("PUT") })")
        #expect(try await Transfer(plan).run().unchanged == Self.folders * Self.files)
        let second = try place.requests().dropFirst(before + first.count)
        #expect(second.filter { !$0.hasPrefix("PROPFIND") }.isEmpty, "\(second)")
        #expect(second.count <= Self.folders + 4, "\(second)")
    }

    @Test("a missing folder costs a request on the way up and one on the way down, its removal one for its other name")
    func folders() async throws {
        let place = try await Place("APACHE")
        let before = try place.requests().count
        let deep: ItemPath = "a/b/c/d"
        try await place.provider.createDirectory(path: place.folder.appending(deep), createsParents: true)
        try await place.provider.removeItem(path: place.folder.appending("a"))
        let requests = try await place.requests { $0.count { $0.hasPrefix("DELETE") } == 2 }.dropFirst(before)
        #expect(requests.count { $0.hasPrefix("MKCOL") } == 7, "\(requests)")
        #expect(requests.count { $0.hasPrefix("PROPFIND") } == 0, "\(requests)")
    }

    @Test("a server is not told what the folders of this machine are called")
    func localNames() async throws {
        let desk = try Desk()
        try desk.fill("secret/f", 10)
        let server = HookedProvider(at: URL(string: "https://cloud.example/"))
        try await server.base.createDirectory(path: "s")
        try await server.base.writeContents(path: "s/f", contents: Data("1".utf8))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(server, "s")], to: TransferEndpoint(desk.provider, "secret"),
            options: impatient { $0.mirror = MirrorRule() })
        #expect(try await Transfer(plan).run().isComplete)
        #expect(server.asked.withLock { $0 }.allSatisfy { !$0.description.contains("secret") })
    }

    @Test("under `hash` no source is read twice")
    func hashed() async throws {
        let (desk, place) = (try Desk(), try await Place("APACHE"))
        try desk.fill("a", 100_000).write(to: place.root.appendingPathComponent("f"))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(place.provider, place.folder.appending("f"))],
            to: TransferEndpoint(desk.provider, "f"), options: impatient { $0.verification = .hash })
        var receipt: TransferReceipt?
        _ = try await Transfer(plan).run { event in
            if case .ended(let ended) = event { receipt = ended }
        }
        #expect(receipt?.assurance == .arrival(.sha256))
        #expect(try desk.read("f") == desk.read("a"))
        // A line is written just behind the reply: the next request's comes after it.
        _ = try await place.provider.attributesOfItem(path: place.folder.appending("f"))
        #expect(try place.requests().filter { $0.hasPrefix("GET") }.count == 1)
    }
}
