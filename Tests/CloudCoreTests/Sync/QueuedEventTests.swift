import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Outcomes that cannot be taken over when they come.
@Suite struct QueuedEventTests {
    @Test func `an outcome whose file cannot be stored does not hold up other commands`() async throws {
        let time = Locked(FileTime(seconds: 1_000_000))
        var server = try Server(clock: { time.withLock { $0 } })
        try await server.write("/file", "text")
        try await server.sync()
        let command = try await server.accept(.download(server.id("/file")))
        // Where the copy's folder is to be.
        let copies = server.core.vault.folder.appending("copies")
        let obstacle = copies.appending(command.id.rawValue.utf8)
        try FileManager.default.createDirectory(atPath: copies.description, withIntermediateDirectories: true)
        try server.scratch.write("in the way", to: obstacle)
        for name in ["one", "two"] {
            try await server.core.settle()
            try await server.put(name, as: ItemName(validating: name))
            try await server.core.settle()
            #expect(try await server.text(ItemPath(validating: "/\(name)")) == name)
            #expect(try await server.copied("/file") == nil)
            server = try await server.reopened()
        }
        try FileManager.default.removeItem(atPath: obstacle.description)
        time.withLock { $0 = $0.later(bySeconds: 60) }
        try await server.expectConverged()
        #expect(try await server.copied("/file") == "text")
    }
}
