import FileProviding
import Foundation

extension ContractTrial {
    /// Calls a callback form, waits for its answer and checks that there is exactly one.
    ///
    /// - Parameter call: calls the form and passes its answer to the given closure.
    func answer<Value: Sendable>(
        of provider: (any FileProviderBasic)? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ call: (@escaping @Sendable (Value) -> Void) throws -> Progress
    ) async throws -> Value {
        let context = (provider ?? self.provider).context
        let (answer, count) = (Outcome<Value>(), Locked(0))
        _ = try call { value in
            count.withLock { $0 += 1 }
            answer.set(value)
        }
        let value = await answer.value
        // Anything that would call a second time has been put on the queue by the time that these two have passed.
        await flush(context.dispatchQueue)
        await flush(context.dispatchQueue)
        try expectEqual(count.withLock { $0 }, 1, "calls of the completion handler", file: file, line: line)
        return value
    }

    /// Returns the error of a simple callback form.
    func failure(
        of provider: (any FileProviderBasic)? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ call: (@escaping SimpleCompletionHandler) throws -> Progress
    ) async throws -> (any Error)? {
        try await answer(of: provider, file: file, line: line, call)
    }

    /// Checks that a simple callback form calls back with such an error.
    func expectFailure(
        _ expected: ExpectedError, of provider: (any FileProviderBasic)? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ call: (@escaping SimpleCompletionHandler) throws -> Progress
    ) async throws {
        let error = try await failure(of: provider, file: file, line: line, call)
        try await expectError(expected, file: file, line: line) { if let error { throw error } }
    }

    /// Checks that a simple callback form succeeds.
    func expectSuccess(
        file: StaticString = #fileID, line: UInt = #line, _ call: (@escaping SimpleCompletionHandler) throws -> Progress
    ) async throws {
        let error = try await failure(file: file, line: line, call)
        try expect(error == nil, "it failed with \(error.map(shown) ?? "")", file: file, line: line)
    }
}
