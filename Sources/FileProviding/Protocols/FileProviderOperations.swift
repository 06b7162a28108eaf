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
}
