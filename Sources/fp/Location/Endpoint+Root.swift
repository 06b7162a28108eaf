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
                return true
            } catch  where error.isUnsupported {
                // If a server shows nothing at all, nothing is known about it.
                _ = try await provider.attributesOfItem(path: path)
                return true
            }
        }
    }
}
