import FileProviding
import Foundation

/// Requests per operation, on a warmed-up connection.
enum BudgetCases {
    static let all = [
        budgetCase("attributes of an item", \.attributes) { trial in
            _ = try await trial.provider.attributesOfItem(path: trial.path("file"))
        },
        budgetCase("reading a small file", \.read, needs: [.reading]) { trial in
            _ = try await trial.read(trial.path("file"))
        },
        budgetCase("writing a small file into a known directory", \.write, needs: [.writing]) { trial in
            try await trial.write(trial.path("new"), sample(100))
        },
        budgetCase("uploading a small file into a known directory", \.write, needs: [.writing]) { trial in
            try await withScratchFolder { folder in
                let local = try folder.put("local", sample(100))
                try await trial.operations.copyItem(localFile: local, to: trial.path("new"))
            }
        },
        budgetCase("creating a directory", \.create, needs: [.creating]) { trial in
            try await trial.operations.createDirectory(path: trial.path("new"))
        },
        budgetCase("copying a file", \.copy, needs: [.copying]) { trial in
            try await trial.operations.copyItem(path: trial.path("file"), to: trial.path("new"))
        },
        budgetCase("moving a file", \.move, needs: [.moving]) { trial in
            try await trial.operations.moveItem(path: trial.path("file"), to: trial.path("new"))
        },
        budgetCase("removing a file", \.remove, needs: [.removing]) { trial in
            try await trial.operations.removeItem(path: trial.path("file"))
        },
        ContractCase(.budgets, "listing a directory keeps its budget, however many entries it has") { trial in
            for index in 0..<12 { try await trial.arrange(file: trial.path("file \(index)")) }
            try await warmUp(trial)
            let before = trial.requestCount
            var pages = 0
            for try await _ in trial.provider.listing(path: trial.directory) { pages += 1 }
            let sent = trial.requestCount - before
            let budget = trial.expectations.budget.listingPage * max(1, pages)
            try expect(sent <= budget, "\(sent) requests for \(pages) pages, budget \(budget)")
            try expectCounted(sent, trial)
        },
    ]

    private static func budgetCase(
        _ name: String, _ budget: @escaping @Sendable (RequestBudget) -> Int, needs: [ContractCapability] = [],
        _ operation: @escaping @Sendable (ContractTrial) async throws -> Void
    ) -> ContractCase {
        ContractCase(.budgets, "\(name) keeps its budget", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"), sample(100))
            try await warmUp(trial)
            let before = trial.requestCount
            try await operation(trial)
            let sent = trial.requestCount - before
            let allowed = budget(trial.expectations.budget)
            try expect(sent <= allowed, "\(sent) requests, budget \(allowed)")
            try expectCounted(sent, trial)
        }
    }

    /// Lets the provider find out what it needs to know about its server and directory.
    private static func warmUp(_ trial: ContractTrial) async throws {
        _ = try await trial.provider.characteristics(path: trial.directory)
        _ = try await trial.provider.contentsOfDirectory(path: trial.directory)
        if trial.expectations.has.contains(.writing) {
            try await trial.write(trial.path("warm"), sample(1))
            if trial.expectations.has.contains(.removing) {
                try await trial.operations.removeItem(path: trial.path("warm"))
            }
        }
    }

    /// Checks that requests are counted, without which no budget is verified; a provider without requests is not a
    /// remote one.
    private static func expectCounted(_ sent: Int, _ trial: ContractTrial) throws {
        if trial.expectations.requestCount == nil {
            try expect(!(trial.provider is any FileProviderBasicRemote), "a remote provider's requests are not counted")
        } else {
            try expect(sent > 0, "no request was counted")
        }
    }
}
