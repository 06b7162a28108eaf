/// A provider that can change its tree: create, copy, move, remove, link.
///
/// There is one requirement. `create(folder:at:)`, `copyItem`, `moveItem`, `removeItem`, uploads, downloads and
/// their callback forms derive from it in one place, which asks the delegate, reports progress and logs.
///
/// What each operation promises:
/// - `create`: an existing directory is fine; a file in its place is `.fileWriteFileExists`.
/// - `copy`, `move`: an existing destination is `.fileWriteFileExists` unless `options.overwrite` is set; with it, a
///   file replaces a file atomically and anything else is refused. Copying or moving an item onto itself, or a
///   directory into itself, is an error. The destination's parent must exist. A directory is copied with everything
///   below it. A server that has begun to copy may complete it although the task was cancelled.
/// - `remove`: a directory is removed with everything below it; a link is removed itself, never what it points to.
/// - `link`: an existing item is `.fileWriteFileExists`.
///
/// A missing source or parent is `.fileNoSuchFile` or `.fileReadNoSuchFile`.
public protocol FileProviderOperations: FileProviderBasic {
    /// Performs an operation, and returns the item that is now at the destination where it is known without another
    /// request.
    ///
    /// Pass operations that this provider has no better way to do to ``defaultPerform(_:in:)``, which implements
    /// uploads and downloads by reading and writing and refuses the rest with `.featureUnsupported`.
    @discardableResult
    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject?

    // MARK: Requirement with a default

    /// Throws when the storage cannot hold a new item of this name, as far as that is known without trying; dry runs
    /// use it. Changes nothing, and does not check whether the name is taken.
    ///
    /// The default is ``defaultCheckName(ofNew:)``.
    ///
    /// - Parameters:
    ///   - path: where the item is to be; directories above it may be missing.
    ///   - isDirectory: whether it is to be a directory.
    /// - Throws: `CocoaError(.fileWriteInvalidFileName)`, as the operation itself would; any error of the check itself.
    func checkName(ofNew path: ItemPath, isDirectory: Bool) async throws
}

extension FileProviderOperations {
    /// Throws when a name is too long for the storage.
    public func checkName(ofNew path: ItemPath, isDirectory: Bool) async throws {
        try await defaultCheckName(ofNew: path)
    }

    /// Throws when a name is longer than the ``ProviderCharacteristics/maximumNameLength`` of the nearest existing
    /// directory above it.
    public func defaultCheckName(ofNew path: ItemPath) async throws {
        guard let name = path.lastComponent else { return }
        var place = path.parent
        while let directory = place {
            do {
                let longest = try await characteristics(path: directory).maximumNameLength
                guard let longest, name.bytes.count > longest else { return }
                throw cocoaError(
                    path, code: .fileWriteInvalidFileName, reason: "a name has at most \(longest) bytes there")
            } catch let error where error.isNoSuchFile {
                place = directory.parent
            }
        }
    }
}
