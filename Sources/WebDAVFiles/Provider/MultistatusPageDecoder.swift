import FileProviding
import Foundation
import HTTPFiles

/// Turns the multistatus of a `Depth: 1` PROPFIND into entries while its bytes arrive.
struct MultistatusPageDecoder: HTTPPageDecoder {
    private let parser: MultistatusParser
    private let builder: ListingEntryBuilder
    private let path: ItemPath
    private var hasMetCollection = false

    init(url: URL, path: ItemPath) {
        parser = MultistatusParser(url: url)
        builder = ListingEntryBuilder(collection: url, directory: path.asDirectory)
        self.path = path
    }

    mutating func consume(_ bytes: Data) throws -> [FileObject] {
        try parser.consume(bytes)
        return try takeEntries()
    }

    /// A multistatus is the only page.
    mutating func finish() throws -> (entries: [FileObject], nextToken: String?) {
        try parser.finish()
        return (try takeEntries(), nil)
    }

    private mutating func takeEntries() throws -> [FileObject] {
        try parser.takeResponses().compactMap { response in
            switch try builder.listed(response) {
            case .entry(let file): return TemporaryName.isOurs(file.itemName) ? nil : file
            case .gone: return nil
            case .collection:
                // Some servers answer for a file as if it were its own listing; some list a member whose name they cannot
                // write under the collection's own, which is lost here too.
                guard hasMetCollection || response.properties.isCollection ?? true else {
                    throw FileError.notADirectory(path)
                }
                hasMetCollection = true
                return nil
            }
        }
    }
}
