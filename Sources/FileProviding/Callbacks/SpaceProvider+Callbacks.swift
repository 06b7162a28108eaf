import Foundation

extension SpaceProvider {
    /// Returns the trees that the account can see.
    @discardableResult
    public func spaces(
        completionHandler: @escaping @Sendable (_ spaces: [StorageSpace]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await spaces()
        }
    }
}
