/// Lets a number of cases of a subject run at once, in the order in which they came; one that measures runs alone.
actor CaseQueue {
    private let width: Int
    private var running = 0
    private var waiting: [(weight: Int, go: CheckedContinuation<Void, Never>)] = []

    init(width: Int) { self.width = max(1, width) }

    nonisolated func run<Result: Sendable>(
        alone: Bool, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let weight = alone ? width : 1
        await enter(weight)
        do {
            let result = try await body()
            await leave(weight)
            return result
        } catch {
            await leave(weight)
            throw error
        }
    }

    private func enter(_ weight: Int) async {
        if waiting.isEmpty, running + weight <= width {
            running += weight
        } else {
            await withCheckedContinuation { waiting.append((weight, $0)) }
        }
    }

    private func leave(_ weight: Int) {
        running -= weight
        while let next = waiting.first, running + next.weight <= width {
            waiting.removeFirst()
            running += next.weight
            next.go.resume()
        }
    }
}
