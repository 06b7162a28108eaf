import FileProviding
import Foundation

/// Builds the entries of one collection's listing from the responses to PROPFIND with Depth 1.
package struct ListingEntryBuilder: Sendable {
    /// What a response in a listing stands for.
    package enum Listed: Sendable {
        /// The collection itself, which servers list along with its members.
        case collection
        case entry(FileObject)
        /// A member that disappeared while the server was listing.
        case gone
    }

    private let url: URL
    private let directory: ItemPath
    private let resolver: HrefResolver

    /// - Parameters:
    ///   - collection: the collection's URL as it was requested, after redirects.
    ///   - directory: where the collection is within the provider.
    package init(collection: URL, directory: ItemPath) {
        url = collection
        self.directory = directory
        resolver = HrefResolver(collection: collection)
    }

    /// Reads one response. A member that the server may not describe to this user is an entry of unknown type.
    ///
    /// - Throws: `URLError(.badServerResponse)` for a reference that is neither the collection nor directly in it: no
    ///   reply of a server may lead elsewhere.
    package func listed(_ response: MultistatusResponse) throws -> Listed {
        switch response.withHref(resolver.meaning) {
        case .collection: return .collection
        case .outside: throw strayReference(response.href)
        case .child(let name, let hasSlash):
            if response.status == 404 || response.status == 410 { return .gone }
            let properties = response.properties
            let type = properties.fileType(hasSlash: hasSlash)
            var file = FileObject(
                name: name, in: directory, type: type, etag: properties.etag,
                contentType: type == .directory ? nil : properties.contentType)
            file.take(properties, isProcessing: response.isProcessing)
            return .entry(file)
        }
    }

    private func strayReference(_ href: [UInt8]) -> URLError {
        let shown = String(decoding: href.prefix(200), as: UTF8.self).filter { !$0.isNewline }
        let reason =
            "it lists “\(shown)”, which is not directly in this collection; does a proxy change paths, but not those in replies?"
        return urlError(url, code: .badServerResponse, reason: reason)
    }
}
