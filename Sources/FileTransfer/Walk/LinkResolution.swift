import FileProviding
import Foundation

/// Resolves a symbolic link to its item, for following links.
enum LinkResolution {
    /// The most links in a row, as many as Linux follows.
    private static let longestChain = 40

    /// Returns the item, or its target when it is a link: the end of the chain, by its own path.
    ///
    /// - Throws: `.fileReadNoSuchFile` for a link that leads nowhere or out of the provider's root; "too many links"
    ///   for a cycle.
    static func resolve(_ item: FileObject, at provider: any FileProvider) async throws -> FileObject {
        var item = item
        for _ in 0..<longestChain {
            guard item.isSymLink, let links = provider as? any FileProviderSymbolicLink else { return item }
            let target = try await links.destination(ofSymbolicLink: item.path)
            guard let path = path(of: target, at: item.path, below: provider.identity.root) else {
                throw FileError.noSuchFile(item.path)
            }
            do {
                item = try await provider.attributesOfItem(path: path)
            } catch  where error.isNoSuchFile {
                throw cocoaError(
                    item.path, code: .fileReadNoSuchFile, reason: "a link to \(target), which is not there",
                    underlying: error)
            }
        }
        throw cocoaError(item.path, code: .fileReadUnknown, reason: "too many symbolic links in a row")
    }

    /// Returns an item's path without links, as far as it exists: new items are created below that.
    static func realEndpoint(_ endpoint: TransferEndpoint) async throws -> TransferEndpoint {
        var (known, rest, links) = (ItemPath.root, endpoint.path.components[...], 0)
        while let name = rest.popFirst() {
            let path = known.appending(name)
            let item: FileObject
            do { item = try await endpoint.provider.attributesOfItem(path: path) } catch
                where error.isNoSuchFile || error.isNotADirectory
            { return TransferEndpoint(endpoint.provider, rest.reduce(path) { $0.appending($1) }) }
            known = path
            guard item.isSymLink, links < longestChain else { continue }
            do {
                // Directories on the way to its target may be links too.
                let end = try await resolve(item, at: endpoint.provider)
                (known, rest, links) = (.root, end.path.components + rest, links + 1)
            } catch is CocoaError {}  // One that leads nowhere, or out of the provider's root, is what it is.
        }
        return TransferEndpoint(endpoint.provider, known)
    }

    /// Returns the path that a link's text refers to; `nil` if it leads above the root.
    private static func path(of target: LinkTarget, at link: ItemPath, below root: ItemPath) -> ItemPath? {
        let slash = UInt8(ascii: "/")
        let isAbsolute = target.bytes.first == slash
        var names = isAbsolute ? [] : root.components + (link.parent?.components ?? [])
        for part in target.bytes.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if !part.elementsEqual("..".utf8) {
                names.append(ItemName(unchecked: Array(part)))
            } else if !names.isEmpty {
                names.removeLast()
            }
        }
        return names.reduce(ItemPath.root) { $0.appending($1) }.relative(to: root)
    }
}

extension TransferEndpoint {
    /// Refuses a link that leads to the item which it is to replace: a link to itself would be all that is left of both.
    ///
    /// - Throws: ``FileError/sameItem(_:)``.
    package func requireNoWay(to target: TransferEndpoint) async throws {
        guard path(at: target.provider) != nil else { return }
        let end = try await LinkResolution.realEndpoint(self)
        let item = try await LinkResolution.realEndpoint(target)
        if end.path(at: target.provider)?.asItem == item.path.asItem { throw FileError.sameItem(target.path) }
    }
}
