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
}
