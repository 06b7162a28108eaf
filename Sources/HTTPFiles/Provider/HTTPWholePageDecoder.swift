import FileProviding
import Foundation

/// A decoder for pages that can only be read whole, such as JSON for `JSONDecoder`; they are small where a server
/// divides its listings.
///
/// ```swift
/// func pageDecoder(path: ItemPath) -> any HTTPPageDecoder {
///     HTTPWholePageDecoder { data in
///         let page = try JSONDecoder().decode(Page.self, from: data)
///         return (page.items.map { $0.file(in: path) }, page.next)
///     }
/// }
/// ```
public struct HTTPWholePageDecoder: HTTPPageDecoder {
    /// Returns a page's entries, and the token of the next page: `nil` after the last one.
    public typealias Decode = @Sendable (Data) throws -> (entries: [FileObject], nextToken: String?)

    private let decode: Decode
    private var data = Data()

    /// Creates a decoder that passes the whole reply to `decode`.
    public init(_ decode: @escaping Decode) { self.decode = decode }

    /// Keeps the bytes.
    public mutating func consume(_ bytes: Data) -> [FileObject] {
        data.append(bytes)
        return []
    }

    /// Decodes the page.
    public func finish() throws -> (entries: [FileObject], nextToken: String?) { try decode(data) }
}
