import FileProviding
import Foundation
import TestSupport
import Testing

@testable import CloudCore

/// Random changes by two vaults and by others, with the network and the programs coming and going, end in one state,
/// and no text is lost that nobody has removed or replaced.
///
/// A failure names its seed, and the number of steps from which on it fails; `FP_TEST_SEED` begins with that seed, and
/// `FP_TEST_POINTS` says how many there are.
@Suite struct ConvergenceTests {
    private static let first = UInt64(TestServer.variable("SEED")) ?? 1
    private static let count: UInt64 = UInt64(TestServer.variable("POINTS")) ?? (Campaign.isFull ? 200 : 3)
    private static let steps = 40

    @Test(arguments: [(true, true), (false, true), (true, false), (false, false)], [false, true])
    func `two vaults and a server come to be the same`(
        server: (propagates: Bool, hasFileIDs: Bool), hasTrouble: Bool
    ) async throws {
        func failure(_ seed: UInt64, _ steps: Int) async throws -> String? {
            var trial = try ConvergenceTrial(
                seed: seed, propagates: server.propagates, hasFileIDs: server.hasFileIDs, hasTrouble: hasTrouble)
            for _ in 0..<steps { try await trial.step() }
            return try await trial.difference()
        }
        for seed in Self.first..<(Self.first + Self.count) {
            guard var description = try await failure(seed, Self.steps) else { continue }
            var shortest = Self.steps
            for steps in 1..<Self.steps {
                if let earlier = try await failure(seed, steps) {
                    (description, shortest) = (earlier, steps)
                    break
                }
            }
            Testing.Issue.record(
                """
                seed \(seed), \(shortest) steps, propagates \(server.propagates), identifiers \(server.hasFileIDs), \
                trouble \(hasTrouble): \(description)
                """)
        }
    }
}
