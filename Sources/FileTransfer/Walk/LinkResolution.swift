import FileProviding
import Foundation

/// Finds the item that a symbolic link stands for, for those who follow links: one component after the other, as the kernel does,
/// so that `..` leads out of the folder that a link led to, and not back to where the link is.
struct LinkResolution {
    /// As many links as Linux follows.
    private static let mostLinks = 40

    private let provider: any FileProvider
    private let links: any FileProviderSymbolicLink
    private let root: ItemPath
    /// Where the walk is, from the storage's root on, by no link.
    private var known: [ItemName]
    /// What is still to be walked.
    private var rest: [ItemName] = []
    private var followed = 0

    /// The item, or what it points to when it is a link: the end of the chain, by its own path.
    ///
    /// - Parameter folder: where the item is by no link, where that is known.
    /// - Throws: `.fileReadNoSuchFile` for a link that leads nowhere or out of the provider's root; "too many links" for a
    ///   circle.
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
            // What the root is in has no links, as far as anybody can see.
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

    /// Goes on with what a link holds; returns that.
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

    /// Where the walk is as the provider knows it; `nil` outside its root.
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
            { return TransferEndpoint(provider, rest.reduce(path) { $0.appending($1) }) }
            do { known = try await resolve(item, at: provider, in: known).path.asItem } catch is CocoaError {
                // One that leads nowhere, or out of the provider's root, is what it is.
                known = path
            }
        }
        return TransferEndpoint(provider, known)
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
