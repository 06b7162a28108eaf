import Foundation

extension AccountProvider {
    /// Returns the account that the credential belongs to.
    @discardableResult
    public func account(
        completionHandler: @escaping @Sendable (_ account: StorageAccount?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await account()
        }
    }
}
