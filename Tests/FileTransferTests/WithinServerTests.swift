import FileProviderTesting
import FileProviders
import Foundation
import Testing

/// Copies from a server to itself whose bytes pass through this machine.
@Suite("Within a server", .enabled(if: Place.names.contains("APACHE"), "needs Scripts/test-servers"))
struct WithinServerTests {
    @Test("many small files at once do not wait for each other's connections", .timeLimit(.minutes(2)))
    func manyAtOnce() async throws {
        // Far enough away for all uploads to begin before the first of them has its bytes.
        let place = try await Place("APACHE") { port in
            try FaultProxy(to: port) { _ in FaultProxy.Faults(toServer: [.delay(0.02)], toClient: [.delay(0.02)]) }
        }
        let desk = try Desk()
        let files = try (0..<40).map { try (name: "f\($0)", data: desk.fill("f\($0)", 2_000, seed: UInt64($0))) }
        let (from, to) = (place.root.appendingPathComponent("a"), place.root.appendingPathComponent("b"))
        try FileManager.default.createDirectory(at: from, withIntermediateDirectories: true)
        for file in files { try file.data.write(to: from.appendingPathComponent(file.name)) }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(place.provider, place.folder.appending("a"))],
            to: TransferEndpoint(place.provider, place.folder.appending("b")),
            options: impatient {
                $0.verification = .hash
                $0.concurrency = 40
            })
        let report = try await Transfer(plan).run()
        #expect(report.isComplete && report.copied == files.count, "\(report.failures)")
        for file in files { #expect(try Data(contentsOf: to.appendingPathComponent(file.name)) == file.data) }
    }
}
