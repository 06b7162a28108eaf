import FileProviding
import Foundation

/// The callback forms of requests that are sent to the server at once. Each calls back once, on an arbitrary thread;
/// its progress is one step, and cancelling it cancels the request: the error is `CocoaError(.userCancelled)` then.
extension Core {
    /// Shares an item; see ``share(_:_:)``.
    @discardableResult
    public func share(
        _ item: LocalID, _ draft: ShareDraft,
        completionHandler: @escaping @Sendable (_ share: Share?, _ error: (any Error)?) -> Void
    ) -> Progress {
        answer(completionHandler) { try await self.share(item, draft) }
    }

    /// Changes a share; see ``updateShare(_:of:_:)``.
    @discardableResult
    public func updateShare(
        _ share: Share, of item: LocalID, _ draft: ShareDraft,
        completionHandler: @escaping @Sendable (_ share: Share?, _ error: (any Error)?) -> Void
    ) -> Progress {
        answer(completionHandler) { try await self.updateShare(share, of: item, draft) }
    }

    /// Ends a share; see ``removeShare(_:of:)``.
    @discardableResult
    public func removeShare(
        _ share: Share, of item: LocalID, completionHandler: @escaping @Sendable (_ error: (any Error)?) -> Void
    ) -> Progress {
        answer({ _, error in completionHandler(error) }, { try await self.removeShare(share, of: item) })
    }

    /// Returns a thumbnail of a file; see ``thumbnail(of:within:)``.
    @discardableResult
    public func thumbnail(
        of item: LocalID, within size: PixelSize? = nil,
        completionHandler: @escaping @Sendable (_ thumbnail: Thumbnail?, _ error: (any Error)?) -> Void
    ) -> Progress {
        answer(completionHandler) { try await self.thumbnail(of: item, within: size) }
    }

    private func answer<Value: Sendable>(
        _ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        // The callback form's own task: it ends with the request.
        let task = Task {
            do {
                let value = try await work()
                progress.completedUnitCount = 1
                completionHandler(value, nil)
            } catch { completionHandler(nil, error.callbackError) }
        }
        progress.cancellationHandler = { task.cancel() }
        return progress
    }
}
