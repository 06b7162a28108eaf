import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// A copy is made of the intended item, even if it has moved.
@Suite struct CopySourceTests {
    @Test func `a file is copied from where it has moved to, not what has its name by then`() async throws {
        let server = try Server()
        try await server.write("/a", "meant")
        try await server.sync()
        try await server.provider.moveItem(path: "/a", to: "/b")
        try await server.write("/a", "another")
        try await server.copy("/a", to: "/copy")
        try await server.core.settle()
        #expect(try await server.text("/copy") == "meant")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/b", "/copy"])
    }

    @Test func `a file that has gone to another directory is found there`() async throws {
        let server = try Server()
        try await server.folder("/there")
        try await server.write("/a", "meant")
        try await server.sync()
        try await server.provider.moveItem(path: "/a", to: "/there/b")
        try await server.write("/a", "another")
        try await server.copy("/a", to: "/copy")
        try await server.core.settle()
        #expect(try await server.text("/copy") == "meant")
        try await server.expectConverged()
    }

    @Test func `a directory is copied from where it has moved to`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.write("/a/meant")
        try await server.sync()
        try await server.provider.moveItem(path: "/a", to: "/b")
        try await server.folder("/a")
        try await server.write("/a/another")
        try await server.copy("/a", to: "/copy")
        try await server.core.settle()
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/a/another", "/b", "/b/meant", "/copy", "/copy/meant"])
    }

    @Test func `without identifiers another version is looked at before it is copied`() async throws {
        let server = try Server(hasFileIDs: false)
        try await server.write("/a", "known")
        try await server.sync()
        try await server.write("/a", "changed since")
        try await server.copy("/a", to: "/copy")
        _ = server.connection.requests()
        try await server.core.settle()
        #expect(server.connection.requests() == ["copy /a /copy", "list /", "copy /a /copy"])
        #expect(try await server.text("/copy") == "changed since")
        try await server.expectConverged()
    }

    @Test func `what is not there any more is not copied`() async throws {
        let server = try Server()
        try await server.write("/a", "meant")
        try await server.write("/other")
        try await server.sync()
        try await server.provider.removeItem(path: "/a")
        try await server.write("/a", "another")
        let copy = try await server.accept(.copy(server.id("/a"), to: .root, as: "copy"))
        await #expect(throws: CocoaError.self) { _ = try await copy.item }
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/other"])
    }
}
