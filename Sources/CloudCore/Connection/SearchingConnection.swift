import FileProviding

/// A connection to a server that keeps an index, so that what the vault does not know yet is found without looking everywhere.
public protocol SearchingConnection: Connection {
    /// Where in the vault the server's index has something that a query holds for; `nil` where it does not tell this.
    func indexedPaths(_ query: FileQuery) async throws -> [ItemPath]?
}
