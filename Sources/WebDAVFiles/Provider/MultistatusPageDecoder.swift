import FileProviding
import Foundation
import HTTPFiles

/// Decodes the multistatus of a `Depth: 1` PROPFIND into entries as its bytes arrive.
struct MultistatusPageDecoder: HTTPPageDecoder {
    private let parser: MultistatusParser
    private let builder: ListingEntryBuilder
    private let url: URL
    private let path: ItemPath
    private var reply: HTTPResponse?
    private var isEmpty = true
    private var hasMetCollection = false
    private var hasNamelessMember = false
    /// The error for a collection of which every property was refused: final if no members follow.
    private var refusal: (any Error)?
    /// The first names, to notice those that come again.
    private var names: Set<ItemName> = []
    /// The reply's beginning, until something is listed.
    private var head = Data()

    init(url: URL, path: ItemPath) {
        parser = MultistatusParser(url: url)
        builder = ListingEntryBuilder(collection: url, directory: path.asDirectory)
        self.url = url
        self.path = path
    }

    /// Begins a reply: its own address, after redirections, is the base of its references.
    mutating func begin(_ response: HTTPResponse) {
        if response.url != url { self = MultistatusPageDecoder(url: response.url, path: path) }
        reply = response
    }

    mutating func consume(_ bytes: Data) throws -> [FileObject] {
        if isEmpty { head.append(bytes.prefix(max(0, Self.headLength - head.count))) }
        do { try parser.consume(bytes) } catch { throw explained(error) }
        return try takeEntries()
    }

    private static let headLength = 4 << 10
    /// The number of names that are kept: memory is not to grow with the directory.
    private static let nameCount = 10_000

    private func explained(_ error: any Error) -> any Error {
        isEmpty && Multistatus.isAbsence(head) ? FileError.noSuchFile(path) : error
    }

    /// Finishes the reply. A multistatus is the only page, unless the server links to a further one (Nutstore: 750
    /// entries each).
    mutating func finish() throws -> (entries: [FileObject], nextToken: String?) {
        do { try parser.finish() } catch { throw explained(error) }
        let entries = try takeEntries()
        if let refusal { throw refusal }
        let next = try reply?.nextPage()
        if isEmpty, next == nil { throw explained(MultistatusFailure.noResponse.error(url)) }
        if hasNamelessMember { throw FileError.namelessMember(path) }
        return (entries, next?.absoluteString)
    }

    /// The entries that are complete. One that a server lists twice comes once, if the first is among the first 10,000.
    private mutating func takeEntries() throws -> [FileObject] {
        try parser.takeResponses().compactMap { response in
            isEmpty = false
            switch try builder.listed(response) {
            case .entry(let file):
                refusal = nil
                let isNew =
                    names.count < Self.nameCount
                    ? names.insert(file.itemName).inserted : !names.contains(file.itemName)
                return isNew && !TemporaryName.isOurs(file.itemName) ? file : nil
            case .gone: return nil
            case .collection:
                if hasMetCollection { try confirmAgain(response) } else { try confirm(response) }
                hasMetCollection = true
                return nil
            }
        }
    }

    /// Checks a further response about the collection: the listing ends there (507, as for RFC 6578, section 3.6), or a
    /// member follows whose name the server cannot write (sabre/dav, of names that are not UTF-8).
    private mutating func confirmAgain(_ response: MultistatusResponse) throws {
        if let status = response.status, !(200..<300).contains(status) {
            throw response.failure(of: path.asDirectory, at: url)
                ?? MultistatusFailure.noResponse.error(url)
        }
        if response.properties.isCollection == false { hasNamelessMember = true }
    }

    /// Checks the collection's own response. A directory that the server could not read has no members in the reply,
    /// which does not mean that it is empty. Some servers answer for a file as if it were its own listing.
    private mutating func confirm(_ collection: MultistatusResponse) throws {
        if !collection.isProcessing, let failure = collection.failure(of: path.asDirectory, at: url) {
            guard collection.status == nil, collection.refusal != nil else { throw failure }
            if names.isEmpty { refusal = failure }
        }
        guard collection.properties.isCollection ?? true else { throw FileError.notADirectory(path) }
    }
}
