import Foundation

extension VersionProvider {
    /// Returns the earlier versions of a file, newest first.
    @discardableResult
    public func versions(
        path: ItemPath,
        completionHandler: @escaping @Sendable (_ versions: [FileVersionRecord]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await versions(path: path)
        }
    }

    /// Makes an earlier version the current one.
    @discardableResult
    public func restore(
        _ version: FileVersionRecord, of path: ItemPath, completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        callback().confirm(completionHandler) {
            try await restore(version, of: path)
        }
    }
}
