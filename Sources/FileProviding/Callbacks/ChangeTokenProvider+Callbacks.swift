import Foundation

extension ChangeTokenProvider {
    /// Returns the directory's current change token.
    @discardableResult
    public func changeToken(
        path: ItemPath, completionHandler: @escaping @Sendable (_ token: ChangeToken?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await changeToken(path: path)
        }
    }
}
