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

    /// Whether the last component of what was written is `.` or `..`: certainly a mistake where something is removed or
    /// moved.
    var isNamedByDots: Bool {
        var text = location.text[...]
        if case .remote = location.place { text = text.drop { $0 != UInt8(ascii: ":") }.dropFirst() }
        var name = String(decoding: text.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
        if case .url = location.place { name = name.removingPercentEncoding ?? name }
        return name == "." || name == ".."
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
