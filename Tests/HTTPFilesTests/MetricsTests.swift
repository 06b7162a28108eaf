import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Metrics
import MetricsTestKit
import Testing

@Suite struct MetricsTests {
    /// The process has one metrics system: other tests' requests are counted in it too, so this one has a method of its
    /// own.
    private static let kit = {
        let kit = TestMetrics()
        MetricsSystem.bootstrap(kit)
        return kit
    }()
    private static let method: HTTPMethod = "MEASURED"

    @Test func requestsAreCountedAndTimedByMethodAndOutcome() async throws {
        let kit = Self.kit
        let server = try ScriptedResponder { $0.target == "/bad" ? .reply(404) : .reply(204) }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        for path in ["good", "bad", "good"] {
            _ = try await session.data(for: HTTPRequest(Self.method, server.url.appending(path: path)))
        }
        await #expect(throws: URLError.self) {
            _ = try await session.data(for: HTTPRequest(Self.method, nowhere))
        }
        for (outcome, count) in [("2xx", 2), ("4xx", 1), ("failed", 1)] {
            let dimensions = [("method", "MEASURED"), ("outcome", outcome)]
            let requests = try kit.expectCounter("fileproviders_http_requests_total", dimensions)
            #expect(requests.totalValue == Int64(count), "\(outcome)")
            let durations = try kit.expectTimer("fileproviders_http_request_duration", dimensions).values
            #expect(durations.count == count && durations.allSatisfy { $0 > 0 }, "\(outcome)")
        }
    }
}
