import Foundation
import Testing

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
