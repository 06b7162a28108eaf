import Foundation

extension AccountProvider {
    /// Returns the account that the credential belongs to.
    @discardableResult
    public func account(
        completionHandler: @escaping @Sendable (_ account: StorageAccount?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).answer(completionHandler) {
            try await account()
        }
    }
}
