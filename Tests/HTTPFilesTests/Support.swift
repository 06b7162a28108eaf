import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import HTTPFiles

/// A clock whose sleepers wake at once, after the time they asked for.
final class InstantClock: Clock {
    private let time = Locked(ContinuousClock.now)
    private let sleeps = Locked<[Duration]>([])

    var now: ContinuousClock.Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    /// How long each sleeper meant to sleep, in order.
    var pauses: [Duration] { sleeps.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        sleeps.withLock { $0.append(pause) }
        time.withLock { $0 = deadline }
    }
}

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
        return HTTPSession(
            origin: server.url, configuration: configuration, credential: credential,
            pacer: Pacer(clock: clock, date: { date }, random: { 0.5 }), credentialDidChange: didChange)
    }
}

/// Where nobody listens. The port of a server that was stopped may be another test's by now.
let nowhere = URL(string: "http://127.0.0.1:1/")!

/// The code of the `URLError` that the body throws.
func urlErrorCode(_ body: () async throws -> Void) async throws -> URLError.Code {
    do {
        try await body()
    } catch let error as URLError {
        return error.code
    }
    Issue.record("no error was thrown")
    return .unknown
}

/// Lets time pass, in tests whose subject is time.
func elapse(_ seconds: Double) async throws {
    try await ContinuousClock().sleep(for: .seconds(seconds))
}

/// A folder that goes away with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "HTTPFilesTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A new file with these bytes, open for reading and writing.
    func file(_ bytes: Data = Data()) throws -> (LocalFileHandle, URL) {
        let url = url.appending(path: UUID().uuidString)
        try bytes.write(to: url)
        return (LocalFileHandle(owning: open(url.path, O_RDWR | O_CLOEXEC)), url)
    }
}

/// Bytes that differ from position to position: they repeat only after a prime number, so that no block equals another.
func pattern(_ count: Int) -> Data {
    let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    var data = Data(capacity: count)
    while data.count < count { data.append(block.prefix(count - data.count)) }
    return data
}

/// Collects values from any thread.
final class Log<Value: Sendable>: Sendable {
    private let state = Locked<[Value]>([])
    var values: [Value] { state.withLock { $0 } }
    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
