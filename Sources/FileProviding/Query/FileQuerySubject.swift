/// A value that a query can be evaluated on: a file, an item of the vault, a row of a listing.
public protocol FileQuerySubject {
    /// Returns the value of a property, or nil where the file has none or it is not known.
    func queryValue(for key: FileQuery.Key) -> FileQuery.Value?
}
