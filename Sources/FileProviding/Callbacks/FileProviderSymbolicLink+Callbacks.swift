import Foundation

extension FileProviderSymbolicLink {
    /// Creates a symbolic link at `path`.
    @discardableResult
    public func create(
        symbolicLink path: ItemPath, withDestinationPath destination: LinkTarget,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        callback(for: .link(path, target: destination)).confirm(completionHandler) {
            try await create(symbolicLink: path, withDestinationPath: destination)
        }
    }

    /// Returns what a symbolic link points to.
    @discardableResult
    public func destination(
        ofSymbolicLink path: ItemPath,
        completionHandler: @escaping @Sendable (_ destination: LinkTarget?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await destination(ofSymbolicLink: path)
        }
    }
}
