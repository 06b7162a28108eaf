import FileProviding
import Foundation
import Glibc

extension LocalFileProvider {
    /// Returns everything that the kernel reports about the item itself, or about a link's target when the path ends in
    /// a slash.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject { try attributes(path) }

    /// Returns pages of a thousand entries with all their attributes, in the file system's order.
    public func listing(path: ItemPath) -> DirectoryListing { listing(path, isRecursive: false) }

    /// Returns pages that hold the entries of as many directories as fit, each directory opened from the one above it.
    public func recursiveListing(path: ItemPath) -> DirectoryListing { listing(path, isRecursive: true) }

    func attributes(_ path: ItemPath) throws -> FileObject {
        try about(path) {
            let (status, link) = try root.status(of: path)
            return FileObject(path: path, status: status, link: link)
        }
    }

    private func listing(_ path: ItemPath, isRecursive: Bool) -> DirectoryListing {
        DirectoryListing { [root] in
            let listing = TreeListing(path, in: root, isRecursive: isRecursive)
            return { try await LocalThreads.run { try listing.nextPage() } }
        }
    }
}

extension LocalFileProvider: FileProviderSymbolicLink {
    /// Returns the bytes that the link stores; nothing is resolved.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> LinkTarget {
        guard let target = try about(path, { try root.status(of: path) }).link else {
            throw FileError.notALink(path)
        }
        return target
    }
}
