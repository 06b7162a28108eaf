import FileProviding
import Foundation

/// The callback forms. Each calls back once, on an arbitrary thread; cancelling its progress cancels it: the error is
/// `CocoaError(.userCancelled)` then, also when the core is closed.
extension Core {
    /// Carries out a command, working on it as if it were awaited, and calls the handler once when it has ended: with
    /// the item as the server has it, or with the error.
    ///
    /// - Returns: the command's progress; cancelling it cancels the command.
    @discardableResult
    public func perform(
        _ command: Command, completionHandler: @escaping @Sendable (_ item: Item?, _ error: (any Error)?) -> Void
    ) -> Progress {
        let id = EventID()
        let first = commands.command(id)
        // The callback form's own task: it ends with the command.
        Task {
            do {
                let accepted = try await submit(command, as: id)
                if accepted.id != id { first.progress.cancellationHandler = { accepted.progress.cancel() } }
                if first.progress.isCancelled { try await cancel(accepted.id) }
                let item = try await accepted.item
                commands.finish(id, .success(item))
                completionHandler(item, nil)
            } catch {
                commands.finish(id, .failure(error))
                completionHandler(nil, error.callbackError)
            }
        }
        return first.progress
    }

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

    /// Runs a request that is sent to the server at once; its progress is one step.
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
