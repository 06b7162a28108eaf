import FileProviding
import Foundation
import TestSupport
import Testing

@testable import CloudCore

/// Random changes by two vaults and by others, with the network and the programs coming and going, end in one state.
///
/// A failure names its seed, and the number of steps from which on it fails; `FP_TEST_SEED` begins with that seed.
@Suite struct ConvergenceTests {
    private static let first = UInt64(TestServer.variable("SEED")) ?? 1
    private static let steps = 40

    @Test(arguments: [(true, true), (false, true), (true, false), (false, false)])
    func `two vaults and a server come to be the same`(propagates: Bool, hasFileIDs: Bool) async throws {
        for seed in Self.first..<(Self.first + (Campaign.isFull ? 200 : 3)) {
            guard var failure = try await Self.failure(seed, Self.steps, propagates, hasFileIDs) else { continue }
            var shortest = Self.steps
            for steps in 1..<Self.steps {
                if let earlier = try await Self.failure(seed, steps, propagates, hasFileIDs) {
                    (failure, shortest) = (earlier, steps)
                    break
                }
            }
            Testing.Issue.record(
                "seed \(seed), \(shortest) steps, propagates \(propagates), identifiers \(hasFileIDs): \(failure)")
        }
    }

    /// What is wrong after so many steps, if anything.
    private static func failure(
        _ seed: UInt64, _ steps: Int, _ propagates: Bool, _ hasFileIDs: Bool
    ) async throws -> String? {
        let first = try Server(propagates: propagates, hasFileIDs: hasFileIDs)
        let second = try Server(propagates: propagates, hasFileIDs: hasFileIDs, provider: first.provider)
        var trial = ConvergenceTrial(vaults: [first, second], generator: SeededGenerator(seed: seed))
        for _ in 0..<steps { try await trial.step() }
        return try await trial.difference()
    }
}
