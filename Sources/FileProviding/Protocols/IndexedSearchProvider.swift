/// A provider whose server keeps an index of names, so that a search need not look at each item.
public protocol IndexedSearchProvider: FileProviderBasic {
    /// Returns the items below a directory, at any depth, that match a query according to the server's index, in no
    /// particular order. The index may be some seconds behind.
    ///
    /// - Returns: `nil` if the index cannot answer this query or the answer would be too long;
    ///   `search(path:recursive:query:)` then searches without it.
    func indexedItems(below path: ItemPath, query: FileQuery) async throws -> [FileObject]?
}
