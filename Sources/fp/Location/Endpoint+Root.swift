import FileProviders
import Foundation

extension Endpoint {
    /// Returns whether the location is the whole storage, as far as that can be determined: for a WebDAV server's
    /// address, by checking that the folder above is not part of the storage.
    ///
    /// - Parameter looking: whether to ask the server about that folder.
    func isWholeStorage(looking: Bool = true) async throws -> Bool {
        switch location.place {
        case .local: return path.isRoot
        case .remote(_, let path): return path.isRoot
        case .url:
            guard let parent = path.parent else { return true }
            guard looking, provider is any HTTPFileProvider else { return false }
            do {
                return try await !provider.attributesOfItem(path: parent).isDirectory
            } catch let error where error.isNoSuchFile || (error as? CocoaError)?.code == .fileReadNoPermission {
                // Where a folder is missing, its items are too.
                if error.isNoSuchFile { _ = try await provider.attributesOfItem(path: path) }
                return true
            } catch  where error.isUnsupported {
                // If a server shows nothing at all, nothing is known about it.
                _ = try await provider.attributesOfItem(path: path)
                return true
            }
        }
    }

    /// Whether this is a local path whose last component is `.` or `..`: certainly a mistake where something is removed.
    var isNamedByDots: Bool {
        guard case .local = location.place else { return false }
        let last = location.text.split(separator: UInt8(ascii: "/")).last ?? []
        return last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8)
    }

    /// Throws for a path with a slash at the end that is no folder itself: neither a link nor what it leads to is what
    /// was meant, or the other is.
    ///
    /// - Parameter verb: what happens to it without the slash.
    func refuseSlash(verb: String) async throws {
        guard path.namesDirectory, !path.isRoot else { return }
        let item = try await provider.attributesOfItem(path: path.asItem)
        guard !item.isDirectory else { return }
        throw Refusal(
            location.description, "it is a \(item.isSymLink ? "link" : "file"), not a folder",
            remedy: "without the slash it is \(verb)", isAboutAccess: false)
    }
}
