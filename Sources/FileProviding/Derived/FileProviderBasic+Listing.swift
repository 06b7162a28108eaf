extension FileProviderBasic {
    /// Returns all of a directory's entries, sorted or in the provider's order.
    public func contentsOfDirectory(path: ItemPath, sortedBy order: FileObjectSorting? = nil) async throws
        -> [FileObject]
    {
        var files = try await listing(path: path).collect()
        order?.sort(&files)
        return files
    }

    /// Returns all the matching items.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) async throws -> [FileObject] {
        try await search(path: path, recursive: recursive, query: query).collect()
    }

    /// Returns whether there is an item at `path`. Throws when the storage could not answer.
    public func itemExists(path: ItemPath) async throws -> Bool {
        do {
            _ = try await attributesOfItem(path: path)
            return true
        } catch  where error.isNoSuchFile || error.isNotADirectory {
            return false
        }
    }

    /// Lists directory by directory, parents before their children, depth first. The first pages of the next
    /// directories are fetched ahead, so that a distant server is not waited for once for each.
    public func defaultRecursiveListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let walk = RecursiveWalk(root: path, list: { self.listing(path: $0) })
            return { try await walk.nextPage() }
        }
    }

    /// Lists and evaluates the query on the client.
    public func defaultSearch(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        let candidates = recursive ? recursiveListing(path: path) : listing(path: path)
        let matcher = query.matcher()
        return candidates.filter { matcher.matches($0) }
    }
}
