import FileProviding
import Foundation

extension ByteStream {
    /// Returns the beginning of a refusal's body, as far as it arrived; it does not matter if the rest did not.
    ///
    /// - Throws: only when the task is cancelled.
    package func collectRefusal() async throws -> Data {
        var beginning = Data()
        do {
            for try await chunk in self {
                beginning.append(chunk.prefix(refusedBodyLimit - beginning.count))
                if beginning.count == refusedBodyLimit { break }
            }
        } catch  where !error.isCancellation {}
        return beginning
    }
}
