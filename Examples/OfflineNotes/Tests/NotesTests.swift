import CloudCore
import FileProviding
import Foundation
import MemoryFiles
import Notes
import ProviderAdapter
import Synchronization
import Testing

@Suite final class NotesTests {
    private let server = MemoryFileProvider()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")
    private let line: Line
    private let notes: Notes

    init() throws {
        line = Line(to: ProviderAdapter(server))
        notes = try Notes(at: #require(URL(string: "mem:notes/")), over: line, keptIn: LocalPath(folder.path))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func `what is written without the server is there at once, and on the server later`() async throws {
        try await server.writeContents(path: "/shopping.txt", contents: Data("milk".utf8))
        let running = Task { [notes] in await notes.run() }
        defer { running.cancel() }
        try await notes.core.scan()
        #expect(try await notes.read("shopping") == "milk")

        line.cut(true)
        try await notes.write("milk, bread", as: "shopping")
        try await notes.write("call Ada", as: "today")
        try await notes.core.settle()
        #expect(try await notes.read("shopping") == "milk, bread")
        #expect(try await notes.core.item(at: "/today.txt")?.cloudStatus == .localOnly)
        #expect(try await server.contents(path: "/shopping.txt") == Data("milk".utf8))

        line.cut(false)
        await notes.core.reconnect()
        try await notes.core.settle()
        #expect(try await server.contents(path: "/shopping.txt") == Data("milk, bread".utf8))
        #expect(try await server.contents(path: "/today.txt") == Data("call Ada".utf8))
        #expect(try await notes.core.item(at: "/today.txt")?.cloudStatus == .localCopy)

        try await notes.remove("today")
        try await notes.core.settle()
        await #expect(throws: CocoaError.self) { try await server.attributesOfItem(path: "/today.txt") }
    }
}

/// A connection that can be interrupted.
private final class Line: Connection {
    private let end: any Connection
    private let isCut = Mutex(false)

    init(to end: any Connection) { self.end = end }

    func cut(_ isCut: Bool) { self.isCut.withLock { $0 = isCut } }

    private func check() throws { if isCut.withLock({ $0 }) { throw URLError(.notConnectedToInternet) } }

    func traits() async throws -> ConnectionTraits { try await end.traits() }

    func attributes(of path: ItemPath) async throws -> FileObject {
        try check()
        return try await end.attributes(of: path)
    }

    func listing(of path: ItemPath) -> DirectoryListing {
        isCut.withLock { $0 } ? DirectoryListing { { throw URLError(.notConnectedToInternet) } } : end.listing(of: path)
    }

    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? { nil }

    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        do { try check() } catch { return await target.send(.failed(EventFailure(error))) }
        await end.perform(operation, counting: progress, for: target)
    }
}
