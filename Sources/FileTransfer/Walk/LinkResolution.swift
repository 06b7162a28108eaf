import FileProviding
import Foundation

/// Resolves symbolic links one component at a time, as the kernel does: `..` leads to the parent of the folder that a
/// link points to, not back to the link's folder.
struct LinkResolution {
    /// Linux follows the same number of links.
    private static let mostLinks = 40

    private let provider: any FileProvider
    private let links: any FileProviderSymbolicLink
    private let root: ItemPath
    /// The current position, without links, as names from the storage's root.
    private var known: [ItemName]
    /// The names still to be resolved, last one first.
    private var rest: [ItemName] = []
    private var followed = 0

    /// Returns the item, or if it is a link, the item at the end of the chain under its own path.
    ///
    /// - Parameter folder: the path of the item's folder without links, if known.
    /// - Throws: `.fileReadNoSuchFile` for a link to a missing item or out of the provider's root; "too many links" for
    ///   a cycle.
    static func resolve(
        _ item: FileObject, at provider: any FileProvider, in folder: ItemPath? = nil
    ) async throws -> FileObject {
        guard item.isSymLink, let links = provider as? any FileProviderSymbolicLink else { return item }
        var folder = folder
        if folder == nil {
            folder = try await realEndpoint(TransferEndpoint(provider, item.path.parent ?? .root)).path
        }
        var resolution = LinkResolution(at: provider, links, in: folder ?? .root)
        return try await resolution.resolve(item)
    }

    private init(at provider: any FileProvider, _ links: any FileProviderSymbolicLink, in folder: ItemPath) {
        (self.provider, self.links, root) = (provider, links, provider.identity.root)
        known = root.components + folder.components
    }

    private mutating func resolve(_ link: FileObject) async throws -> FileObject {
        var (link, found): (FileObject, FileObject?) = (link, nil)
        var target = try await follow(link)
        while let name = rest.popLast() {
            if name.bytes.elementsEqual("..".utf8) {
                _ = known.popLast()
                found = nil
                continue
            }
            known.append(name)
            // Outside the provider's root links cannot be seen.
            guard let path = knownPath else { continue }
            let item: FileObject
            do { item = try await provider.attributesOfItem(path: path) } catch
                where error.isNoSuchFile || error.isNotADirectory
            { throw dangling(link, target, error) }
            if item.isSymLink {
                known.removeLast()
                (link, found) = (item, nil)
                target = try await follow(item)
            } else if item.isDirectory || rest.isEmpty {
                found = item
            } else {
                throw dangling(link, target, FileError.notADirectory(path))
            }
        }
        guard let path = knownPath else { throw FileError.noSuchFile(link.path) }
        if let found { return found }
        return try await provider.attributesOfItem(path: path)
    }

    /// Reads a link and queues the names of its target, which is returned.
    private mutating func follow(_ link: FileObject) async throws -> LinkTarget {
        followed += 1
        guard followed <= Self.mostLinks else {
            throw cocoaError(link.path, code: .fileReadUnknown, reason: "too many symbolic links in a row")
        }
        let target = try await links.destination(ofSymbolicLink: link.path)
        let slash = UInt8(ascii: "/")
        if target.bytes.first == slash { known = [] }
        let names = target.bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        rest += names.reversed().map { ItemName(unchecked: Array($0)) }
        return target
    }

    /// The current position as a path of the provider; `nil` outside its root.
    private var knownPath: ItemPath? { known.reduce(ItemPath.root) { $0.appending($1) }.relative(to: root)?.asItem }

    private func dangling(_ link: FileObject, _ target: LinkTarget, _ error: any Error) -> CocoaError {
        cocoaError(
            link.path, code: .fileReadNoSuchFile, reason: "a link to \(target), which is not there", underlying: error)
    }
}

extension LinkResolution {
    /// Returns an item's path without links, as far as it exists: new items are created below that.
    static func realEndpoint(_ endpoint: TransferEndpoint) async throws -> TransferEndpoint {
        let provider = endpoint.provider
        guard provider is any FileProviderSymbolicLink else { return endpoint }
        var (known, rest) = (ItemPath.root, endpoint.path.components[...])
        while let name = rest.popFirst() {
            let path = known.appending(name)
            let item: FileObject
            do { item = try await provider.attributesOfItem(path: path) } catch
                where error.isNoSuchFile || error.isNotADirectory
            { return endpoint.at(rest.reduce(path) { $0.appending($1) }) }
            do { known = try await resolve(item, at: provider, in: known).path.asItem } catch is CocoaError {
                // A broken link, or one that leads out of the provider's root, is left unresolved.
                known = path
            }
        }
        return endpoint.at(known)
    }
}

extension TransferEndpoint {
    /// Throws if this is a link to the target that it would replace, or would lead to it from there: all that would
    /// remain is a link to itself.
    ///
    /// - Throws: ``FileError/sameItem(_:)``.
    package func requireNoWay(to target: TransferEndpoint) async throws {
        if let links = provider as? any FileProviderSymbolicLink,
            let destination = try? await links.destination(ofSymbolicLink: path), destination.leadsToItself(at: target)
        {
            throw FileError.sameItem(target.path)
        }
        guard path(at: target) != nil else { return }
        let end = try await LinkResolution.realEndpoint(self)
        let item = try await LinkResolution.realEndpoint(target)
        if end.path(at: target)?.asItem == item.path.asItem { throw FileError.sameItem(target.path) }
    }
}

extension LinkTarget {
    /// Whether a link with this target would lead to itself at an endpoint's path, going by the names.
    fileprivate func leadsToItself(at endpoint: TransferEndpoint) -> Bool {
        let (slash, root) = (UInt8(ascii: "/"), endpoint.provider.identity.root.components)
        var place = bytes.first == slash ? [] : root + endpoint.path.components.dropLast()
        for name in bytes.split(separator: slash) where !name.elementsEqual(".".utf8) {
            if name.elementsEqual("..".utf8) {
                _ = place.popLast()
            } else {
                place.append(ItemName(unchecked: Array(name)))
            }
        }
        return place == root + endpoint.path.components
    }
}
