import Foundation

extension FileProviderReadWrite {
    /// Returns a file's whole contents.
    @discardableResult
    public func contents(
        path: ItemPath, completionHandler: @escaping @Sendable (_ contents: Data?, _ error: (any Error)?) -> Void
    ) -> Progress {
        contents(path: path, offset: 0, length: -1, completionHandler: completionHandler)
    }

    /// Returns part of a file. A `length` of -1 means "to the end".
    @discardableResult
    public func contents(
        path: ItemPath, offset: Int64, length: Int,
        completionHandler: @escaping @Sendable (_ contents: Data?, _ error: (any Error)?) -> Void
    ) -> Progress {
        let callback = self.callback(for: .fetch(path))
        let progress = callback.operationProgress
        return callback.start {
            try await contents(
                path: path, offset: offset, length: length == -1 ? nil : Int64(length), progress: progress)
        } finish: {
            completionHandler($0.parts.value, $0.parts.error)
        }
    }

    /// Writes a file's whole contents; `nil` writes an empty file.
    ///
    /// `atomically` exists only because the specification has it: every write is atomic.
    @discardableResult
    public func writeContents(
        path: ItemPath, contents: Data?, atomically: Bool = true, overwrite: Bool = false,
        completionHandler: @escaping SimpleCompletionHandler
    ) -> Progress {
        let callback = self.callback(for: .modify(path))
        let progress = callback.operationProgress
        return callback.confirm(completionHandler) {
            try await writeContents(path: path, contents: contents ?? Data(), overwrite: overwrite, progress: progress)
        }
    }
}
