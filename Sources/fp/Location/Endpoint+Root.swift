import FileProviders
import Foundation

extension Endpoint {
    /// Whether everything of the storage is meant, as far as can be told: of a WebDAV server's address, by the folder above,
    /// which is no part of the storage then.
    ///
    /// - Parameter looking: whether the server is asked about that folder.
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
                // Of a server that shows nothing at all, nothing is known.
                _ = try await provider.attributesOfItem(path: path)
                return true
            }
        }
    }
}
