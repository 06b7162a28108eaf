import FileProviding
import Foundation
import HTTPFiles

/// Servers that deny names which begin with a dot, as a temporary file has.
extension WebDAVFileProvider {
    /// Returns whether the server may have refused a file because its name is hidden, as many do: with 403, or with
    /// another status although the folder exists.
    func mayRefuseHiddenNames(in parent: ItemPath, _ error: any Error) async -> Bool {
        let code = (error as? CocoaError)?.code
        if code == .fileWriteNoPermission { return true }
        guard error.isNoSuchFile || code == .fileWriteInvalidFileName || [400, 405, 409].contains(error.httpStatus),
            let folder = try? await attributesOfItem(path: parent.asItem)
        else { return false }
        return folder.isDirectory
    }

    /// Writes a new file under its own name to a server that accepts no temporary one.
    ///
    /// - Throws: if there is a file already: it could only be replaced in place.
    func writeUnstaged(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ family: ServerFamily, _ context: OperationContext
    ) async throws -> FileObject {
        guard try await checkTarget(path, context.options) == nil else {
            throw cocoaError(
                path, code: .fileWriteNoPermission,
                reason: "it is not replaced in place, and the server accepts no temporary name such as "
                    + "“\(TemporaryName.random().text)” next to it")
        }
        var once = context
        once.options.overwrite = false
        return try await putNew(path, source, lock, family, once)
    }

    /// Returns whether the server accepts an empty file of our own whose name is not hidden.
    func takesPlainNames(in folder: ItemPath) async throws -> Bool {
        let path = folder.appending(TemporaryName.visible(TemporaryName.random()))
        let put = try request(for: .modify(path), overwrite: false, attributes: ItemAttributes())
        guard try await session.data(for: put).0.isSuccess else { return false }
        await discard(path, isOurs: true)
        return true
    }
}
