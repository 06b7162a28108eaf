import Foundation

extension ShareProvider {
    /// Returns the shares of an item, or with `nil` everything that the account shares.
    @discardableResult
    public func shares(
        of path: ItemPath?, completionHandler: @escaping @Sendable (_ shares: [Share]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await shares(of: path)
        }
    }

    /// Returns the shares through which others give the account items.
    @discardableResult
    public func sharesWithMe(completionHandler: @escaping @Sendable (_ shares: [Share]?, _ error: (any Error)?) -> Void)
        -> Progress
    {
        callback().answer(completionHandler) {
            try await sharesWithMe()
        }
    }

    /// Creates a share.
    @discardableResult
    public func createShare(
        of path: ItemPath, _ draft: ShareDraft,
        completionHandler: @escaping @Sendable (_ share: Share?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await createShare(of: path, draft)
        }
    }

    /// Changes a share; whatever is `nil` in the draft stays as it is.
    @discardableResult
    public func updateShare(
        _ share: Share, _ draft: ShareDraft,
        completionHandler: @escaping @Sendable (_ share: Share?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await updateShare(share, draft)
        }
    }

    /// Ends a share.
    @discardableResult
    public func removeShare(_ share: Share, completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        callback().confirm(completionHandler) {
            try await removeShare(share)
        }
    }

    /// Returns the users and groups that match a text, exact matches first.
    @discardableResult
    public func sharees(
        matching text: String, for path: ItemPath,
        completionHandler: @escaping @Sendable (_ sharees: [Sharee]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await sharees(matching: text, for: path)
        }
    }
}
