import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Shares are told by the server's paths.
@Suite struct SharePlaceTests {
    private func link(_ path: ItemPath) -> Share {
        Share(id: "\(path)", path: path, receiver: Sharee(kind: .link), permissions: .read)
    }

    private func take(_ shares: [Share], _ server: Server) async throws {
        try await server.core.vault.database.write { try $0.setShares(byMe: shares, withMe: []) }
    }

    @Test func `what is elsewhere here than on the server keeps its shares, and takes nobody's`() async throws {
        let server = try Server()
        for path in ["/a/x", "/r", "/s"] as [ItemPath] {
            if let parent = path.parent, !parent.isRoot { try await server.folder(parent) }
            try await server.write(path)
        }
        try await server.sync()
        let (x, s) = (try await server.id("/a/x"), try await server.id("/s"))
        let all = [link("/a/x"), link("/r"), link("/s")]
        try await take(all, server)
        #expect(try await server.core.item(x)?.shares.byMe == [link("/a/x")])

        server.connection.fail(with: URLError(.timedOut))
        try await server.move("/a", to: "/b")
        try await server.delete("/r")
        try await server.put("another", as: "r")
        try await take(all, server)
        #expect(try await server.core.item(x)?.shares.byMe.map(\.id) == ["/a/x"])
        #expect(try await server.core.item(at: "/r")?.shares.isEmpty == true)

        server.connection.fail(with: nil)
        try await server.sync()
        try await take([link("/b/x")], server)
        #expect(try await server.core.item(x)?.shares.byMe == [link("/b/x")])
        #expect(try await server.core.item(s)?.shares.isEmpty == true)
    }
}
