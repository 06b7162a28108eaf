extension Sequence where Element: Sendable {
    /// Returns what comes of some work on each element, in order. Several elements are worked on at once, which hides
    /// the round trips to a server, but no more than `width`.
    package func concurrently<Value: Sendable>(
        width: Int = 8, _ work: @escaping @Sendable (Element) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            var results: [Int: Result<Value, any Error>] = [:]
            for (index, element) in enumerated() {
                if index >= width, let (index, result) = await group.next() { results[index] = result }
                group.addTask {
                    do { return (index, .success(try await work(element))) } catch { return (index, .failure(error)) }
                }
            }
            for await (index, result) in group { results[index] = result }
            return results.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Passes on what comes of some work on each element, one after another and in order. The work on the next
    /// elements, as many as `width`, is begun before it is needed, which hides the round trips to a server.
    ///
    /// - Throws: what `take` throws; the work that was begun is cancelled then.
    package func ahead<Value: Sendable>(
        width: Int = 8, _ work: @escaping @Sendable (Element) async throws -> Value,
        take: (Element, Result<Value, any Error>) async throws -> Void
    ) async throws {
        let elements = Array(self)
        try await withThrowingTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            var results: [Int: Result<Value, any Error>] = [:]
            var begun = 0
            for (index, element) in elements.enumerated() {
                while begun < Swift.min(index + width, elements.count) {
                    group.addTask { [begun, element = elements[begun]] in
                        do { return (begun, .success(try await work(element))) } catch {
                            return (begun, .failure(error))
                        }
                    }
                    begun += 1
                }
                while results[index] == nil, let (index, result) = try await group.next() { results[index] = result }
                try await take(element, results.removeValue(forKey: index)!)
            }
        }
    }
}
