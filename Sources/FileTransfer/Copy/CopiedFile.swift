import FileProviding
import Foundation

/// A file that is to be removed since there is a copy of it, which may be the file itself: a link of a server may show
/// it under another name.
package struct CopiedFile {
    private let item: FileObject
    private let provider: any FileProvider
    private let copy: ItemPath
    private let copyProvider: any FileProvider

    package init(_ item: FileObject, at provider: any FileProvider, copy: ItemPath, at copyProvider: any FileProvider) {
        (self.item, self.provider) = (item, provider)
        (self.copy, self.copyProvider) = (copy, copyProvider)
    }

    /// Removes the file if it is still the given version and its copy does not depend on it: it is renamed first, and
    /// removed only if the copy can still be read then. A storage that cannot rename removes it at once.
    ///
    /// - Throws: ``FileError/sameItem(_:)`` if the copy is the file itself, ``FileError/changed(_:)``, and whatever
    ///   prevents the removal. The file then has its name, or the error tells the one that it has otherwise.
    package func remove() async throws {
        try await provider.requireStill(item)
        let aside: ItemPath
        do { aside = try await setAside() } catch  where error.isUnsupported {
            return try await provider.remove(item.path, ifStill: item)
        }
        do {
            _ = try await copyProvider.read(path: copy).bytes.first { _ in true }
        } catch {
            try await putBack(aside)
            throw error is URLError || error.isCancellation ? error : FileError.sameItem(copy)
        }
        do { _ = try await shielded { try await provider.step(.remove(aside)) } } catch {
            try await putBack(aside)
            throw error
        }
    }

    /// Gives the file a temporary name beside it, one without a dot where those are denied. Returns its path then.
    private func setAside() async throws -> ItemPath {
        let (folder, hidden) = (item.path.parent ?? .root, TemporaryName.random())
        do {
            return try await move(to: folder.appending(hidden))
        } catch let error as CocoaError
            where [.fileWriteInvalidFileName, .fileWriteNoPermission].contains(error.code)
        {
            return try await move(to: folder.appending(TemporaryName.visible(hidden)))
        }
    }

    private func move(to aside: ItemPath) async throws -> ItemPath {
        try await provider.step(.move(source: item.path, destination: aside))
        return aside
    }

    /// Gives the file its name back.
    private func putBack(_ aside: ItemPath) async throws {
        do {
            _ = try await shielded(limit: .seconds(60)) {
                try await provider.step(.move(source: aside, destination: item.path))
            }
        } catch {
            throw cocoaError(
                item.path, code: .fileWriteUnknown, reason: "it is there as \(aside): \(error.localizedDescription)",
                underlying: error)
        }
    }
}
