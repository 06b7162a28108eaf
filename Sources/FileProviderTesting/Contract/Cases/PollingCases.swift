import FileProviding
import Foundation

/// Changes of any storage, found by polling: whoever applies them ends up with its state.
enum PollingCases {
    static let all = [
        ContractCase(.polling, "what is told leads to the final state, deletions included") { trial in
            try await follow(trial) { follower in
                try await change(trial)
                try await follower.look()
            }
        },
        ContractCase(.polling, "with one listing a look, the final state is reached in the end") { trial in
            try await follow(trial, listingsPerLook: 1) { follower in
                try await change(trial)
                for _ in 0..<40 { try await follower.look() }
            }
        },
        ContractCase(.polling, "changes between looks are told at the next one, each once") { trial in
            try await follow(trial) { follower in
                for round in 0..<3 {
                    try await trial.arrange(file: trial.path("round \(round)/file"), sample(round + 1))
                    try await follower.look()
                    let told = follower.told.filter { $0 == .created(trial.path("round \(round)/file")) }
                    try expectEqual(told.count, 1, "times that a new file was told")
                }
            }
        },
        ContractCase(.polling, "while nothing changes nothing is told") { trial in
            try await follow(trial) { follower in
                for _ in 0..<3 { try await follower.look() }
                try expectEqual(follower.told, [], "changes told")
            }
        },
        ContractCase(.polling, "a changed file is told") { trial in
            guard trial.expectations.listsDetails else { return }
            try await follow(trial) { follower in
                try await trial.arrange(file: trial.path("d/e/changed"), sample(77))
                try await follower.look()
                let change = FileChange.modified(trial.path("d/e/changed"))
                try expect(follower.told.contains(change), "told only \(follower.told)")
            }
        },
        ContractCase(.polling, "what is below other directories is not told unless asked for") { trial in
            try await follow(trial, isRecursive: false) { follower in
                try await trial.arrange(file: trial.path("d/new"))
                try await trial.arrange(file: trial.path("new"))
                try await follower.look()
                try expectEqual(follower.told, [.created(trial.path("new"))], "changes told")
            }
        },
        ContractCase(.polling, "a directory that goes is told, and ends its own watching") { trial in
            try await arrangeTree(trial)
            let clock = SteppingClock()
            let monitor = PollingMonitor(trial.provider, interval: .seconds(1), clock: clock)
            let changes = try await monitor.changes(path: trial.path("d"), recursive: true)
            try await trial.arrange(removalOf: trial.path("d"))
            clock.step()
            var told: [FileChange] = []
            for try await change in changes { told.append(change) }
            try expectEqual(told.last, .removed(trial.path("d")), "the last change")
        },
        ContractCase(.polling, "watching a missing directory is no such file") { trial in
            let monitor = PollingMonitor(trial.provider, interval: .seconds(1), clock: SteppingClock())
            try await expectError(.noSuchFile) {
                try await monitor.changes(path: trial.path("missing"), recursive: true)
            }
        },
    ]

    private static func arrangeTree(_ trial: ContractTrial) async throws {
        for file in ["a", "b", "d/c", "d/e/changed", "gone/x", "gone/y/z"] {
            try await trial.arrange(file: trial.path(file), sample(file.utf8.count))
        }
    }

    /// Creates, changes and removes items at several depths.
    private static func change(_ trial: ContractTrial) async throws {
        for file in ["new", "d/e/new", "born/deep/er"] { try await trial.arrange(file: trial.path(file)) }
        try await trial.arrange(file: trial.path("a"), sample(1_234))
        for path in ["b", "gone", "d/c"] { try await trial.arrange(removalOf: trial.path(path)) }
        try await trial.arrange(file: trial.path("b/now/a/directory"))
    }

    /// Runs `body` with a follower of a tree, and checks that it knows the storage's state afterwards.
    private static func follow(
        _ trial: ContractTrial, isRecursive: Bool = true, listingsPerLook: Int? = nil,
        _ body: (ChangeFollower) async throws -> Void
    ) async throws {
        try await arrangeTree(trial)
        try await ChangeFollower.follow(trial, isRecursive: isRecursive, listingsPerLook: listingsPerLook) { follower in
            try await body(follower)
            try await follower.expectConvergence()
        }
    }
}
