import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// A large file whose server sends slowly to each connection.
@Suite("In several ranges", .enabled(if: !Place.names.isEmpty, "needs Scripts/test-servers"))
struct RangedReadTests {
    private static let size = 72 << 20
    private static let slowly = FaultProxy.Fault.trickle(bytesPerSecond: 16 << 20)
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func place(
        _ faults: @escaping @Sendable () -> [FaultProxy.Fault] = { [slowly] }
    ) async throws -> (Place, FaultProxy) {
        let proxies = Locked<FaultProxy?>(nil)
        let place = try await Place("APACHE") { port in
            let proxy = try FaultProxy(to: port) { _ in FaultProxy.Faults(toClient: faults()) }
            proxies.withLock { $0 = proxy }
            return proxy
        }
        try desk.fill("source", Self.size).write(to: place.root.appendingPathComponent("f"))
        return (place, try #require(proxies.withLock { $0 }))
    }

    private func copy(from place: Place) async throws -> TransferReport {
        let plan = try await TransferPlan(
            from: [TransferEndpoint(place.provider, place.folder.appending("f"))],
            to: TransferEndpoint(desk.provider, "f"), options: impatient { $0.retries.perFile = 0 })
        return try await Transfer(plan, in: desk.environment).run()
    }

    private func reads(of place: Place) throws -> Int {
        try place.requests().count { $0.hasPrefix("GET ") }
    }

    @Test("a slow file comes in a first piece and four ranges beside each other")
    func divided() async throws {
        let (place, _) = try await place()
        #expect(try await copy(from: place).isComplete)
        #expect(try desk.read("f") == desk.read("source"))
        #expect(try await eventually { try reads(of: place) == 5 })
    }

    @Test("ranges that broke are asked for what they miss")
    func broken() async throws {
        let isHurt = Locked(true)
        // The connection of the first piece breaks in the midst of its range, the others get nearly as far.
        let (place, proxy) = try await place {
            isHurt.withLock { $0 } ? [Self.slowly, .cut(after: 18 << 20)] : []
        }
        #expect(try await !copy(from: place).isComplete)
        #expect(try desk.journals().count == 1)
        isHurt.withLock { $0 = false }
        // What is kept open was made while it hurt.
        proxy.cutConnections()
        let before = try reads(of: place)
        let report = try await copy(from: place)
        #expect(report.isComplete, "\(report.failures)")
        #expect(report.bytes < Int64(Self.size - (24 << 20)), "\(report.bytes)")
        #expect(try desk.read("f") == desk.read("source"))
        #expect(try desk.journals().isEmpty)
        #expect(try await eventually { try reads(of: place) > before })
    }

    @Test("a server that refuses several streams of a file is read in one")
    func refused() async throws {
        let place = try await Place("NGINX_SINGLE")
        try desk.fill("source", Self.size).write(to: place.root.appendingPathComponent("f"))
        let report = try await copy(from: place)
        #expect(report.isComplete, "\(report.failures)")
        #expect(try desk.read("f") == desk.read("source"))
        let refusals = try await eventually {
            try TestServer.requests(of: "NGINX", about: place.root.lastPathComponent).contains { $0.contains(" 503 ") }
        }
        #expect(refusals)
    }
}

/// Whether the body becomes true: a server logs a request after it has been answered.
private func eventually(_ body: () throws -> Bool) async throws -> Bool {
    for _ in 0..<1000 {
        if try body() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}
