import FileProviding
import Foundation

/// Finds the item that a symbolic link stands for, for those who follow links.
enum LinkResolution {
    /// As many links in a row as Linux follows.
    private static let longestChain = 40

    /// The item, or what it points to when it is a link: the end of the chain, by its own path.
    ///
    /// - Throws: `.fileReadNoSuchFile` for a link that leads nowhere or out of the provider's root; "too many links" for a
    ///   circle.
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

    /// Where an item is by no link, as far as it is there: what is to be made goes below.
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
                // Others may lead to where it leads.
                let end = try await resolve(item, at: endpoint.provider)
                (known, rest, links) = (.root, end.path.components + rest, links + 1)
            } catch is CocoaError {}  // One that leads nowhere, or out of the provider's root, is what it is.
        }
        return TransferEndpoint(endpoint.provider, known)
    }

    /// The path that a link's text means, `nil` where it leads above the root.
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
