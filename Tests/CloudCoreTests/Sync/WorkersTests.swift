import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// The tasks that make attempts.
@Suite struct WorkersTests {
    private let server: Server
    private let names = (0..<120).map { "f\($0)" }

    init() throws { server = try Server() }

    @Test func `a task that has ended an attempt makes the next one`() async throws {
        for name in names { try await server.put("text", as: ItemName(validating: name)) }
        try await server.core.settle()
        #expect(try await server.walked().count == names.count)
        let workers = await server.core.engine.workers
        #expect(1...names.count / 3 ~= workers.count)
        #expect(workers.tasks.isEmpty)
        #expect(workers.idle.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a task in which a command is cancelled takes no other command with it`() async throws {
        for name in names { try await server.put("text", as: ItemName(validating: name)) }
        let records = try await server.core.syncRecords().prefix(3)
        let held = Dictionary(uniqueKeysWithValues: zip(names, records.map(\.id)))
        let (arrivals, arrival) = AsyncStream.makeStream(of: EventID.self)
        server.connection.meet { operation in
            guard case .upload(let upload) = operation, let id = held[upload.path.lastComponent?.text ?? ""] else {
                return .none
            }
            arrival.yield(id)
            return .held
        }
        let settling = Task { [core = server.core] in try await core.settle() }
        for await id in arrivals.prefix(held.count) { try await server.core.cancel(id) }
        try await settling.value
        #expect(try await server.core.syncRecords().isEmpty)
        #expect(try await server.walked().count == names.count - held.count)
    }
}
