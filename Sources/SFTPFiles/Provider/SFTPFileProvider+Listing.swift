import FileProviding
import Foundation

extension SFTPFileProvider {
    /// Returns entries with their attributes; only links take further requests to find out where they lead, all of a
    /// page at once. A directory of more than ``SFTPConfiguration/maximumEntries`` is an error.
    public func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let reader = DirectoryReader(path) {
                let tree = try await tree()
                return (tree, try await tree.target(path))
            }
            return { try await reader.nextPage() }
        }
    }
}
