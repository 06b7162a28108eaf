import FileProviderTesting
import FileProviding
import Foundation

@testable import HTTPFiles

extension HTTPSession {
    /// A session for a scripted server, with short deadlines and without retries unless told otherwise.
    static func to(
        _ server: ScriptedResponder, credential: Credential? = nil, retry: RetryPolicy = .never,
        clock: InstantClock = InstantClock(), date: Date = Date(timeIntervalSince1970: 1_800_000_000),
        adjust: (inout HTTPSessionConfiguration) -> Void = { _ in }, didChange: (@Sendable (Credential) -> Void)? = nil
    ) -> HTTPSession {
        var configuration = HTTPSessionConfiguration()
        configuration.retry = retry
        adjust(&configuration)
        let session = HTTPSession(
            origin: server.url, configuration: configuration, credential: credential,
            pacer: Pacer(clock: clock, date: { date }, random: { 0.5 }))
        session.credentialDidChange = didChange
        return session
    }
}
