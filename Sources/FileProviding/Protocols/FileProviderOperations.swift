/// A provider that can change its tree: create, copy, move, remove, link.
///
/// One requirement. `create(folder:at:)`, `copyItem`, `moveItem`, `removeItem`, the up- and downloads and all callback forms
/// derive from it in one place, which asks the delegate, reports progress and logs.
///
/// What each operation promises:
/// - `create`: an existing directory is fine; a file in the way is `.fileWriteFileExists`.
/// - `copy`, `move`: an existing destination is `.fileWriteFileExists` unless `options.overwrite`; with it, a file replaces
///   a file in one step and anything else is refused. Onto itself and a directory into itself are errors. The
///   destination's parent must exist. A directory is copied with everything below it.
/// - `remove`: a directory goes with everything below it; a link goes itself, never what it points to.
/// - `link`: an existing item is `.fileWriteFileExists`.
///
/// A missing source or parent is `.fileNoSuchFile` or `.fileReadNoSuchFile`.
public protocol FileProviderOperations: FileProviderBasic {
    /// Does it, and returns what is now at the destination where that is known without asking again.
    ///
    /// Operations that this provider does in no better way than others go to ``defaultPerform(_:in:)``, which does up- and
    /// downloads by reading and writing and refuses the rest with `.featureUnsupported`.
    @discardableResult
    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject?

    // MARK: Requirement with a default

    /// Refuses the name of a new item that the storage cannot hold, as far as that is known without trying: what a dry run
    /// says of it. Changes nothing, and does not look whether the name is taken.
    ///
    /// The default is ``defaultCheckName(ofNew:)``.
    ///
    /// - Parameters:
    ///   - path: where the item is to be; directories above it may be missing.
    ///   - isDirectory: whether it is to be a directory.
    /// - Throws: `CocoaError(.fileWriteInvalidFileName)`, as the operation itself would; an error of asking.
    func checkName(ofNew path: ItemPath, isDirectory: Bool) async throws
}

extension FileProviderOperations {
    /// Refuses a name that is too long for the storage.
    public func checkName(ofNew path: ItemPath, isDirectory: Bool) async throws {
        try await defaultCheckName(ofNew: path)
    }

    /// Refuses a name that is longer than the ``ProviderCharacteristics/maximumNameLength`` of the nearest directory above it
    /// that exists.
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
