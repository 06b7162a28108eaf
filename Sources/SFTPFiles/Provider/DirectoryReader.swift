import FileProviding
import Foundation

/// Reads an open directory on the server, with several READDIRs in flight (section 6.7). One reader at a time.
final class DirectoryReader: Sendable {
    private struct Opened {
        let tree: RemoteTree
        let place: [UInt8]
        let handle: [UInt8]
    }

    private enum State {
        case notBegun
        case open(Opened)
        case done
    }

    private static let firstRequests = 2
    private static let furtherRequests = 8

    private let path: ItemPath
    private let locate: @Sendable () async throws -> (tree: RemoteTree, place: [UInt8])
    private let state = Locked(State.notBegun)
    private let count = Locked(0)
    /// Whether the last list of names was empty.
    private let wasEmpty = Locked(false)

    /// - Parameter locate: finds the directory on the server, when the first page is pulled.
    init(
        _ path: ItemPath, locate: @escaping @Sendable () async throws -> (tree: RemoteTree, place: [UInt8])
    ) {
        self.path = path
        self.locate = locate
    }

    deinit {
        if case .open(let opened) = state.withLock({ $0 }) { opened.tree.client.forget(.close(opened.handle)) }
    }

    func nextPage() async throws -> DirectoryListing.Page? {
        switch state.withLock({ $0 }) {
        case .done: return nil
        case .notBegun:
            let opened = try await open()
            state.withLock { $0 = .open(opened) }
            return try await page(opened, requests: Self.firstRequests)
        case .open(let opened): return try await page(opened, requests: Self.furtherRequests)
        }
    }

    private func open() async throws -> Opened {
        let (tree, place) = try await locate()
        do {
            return Opened(tree: tree, place: place, handle: try await tree.client.call(.opendir(place)).handle())
        } catch let status as SFTPStatus {
            // Servers answer "no such file" for a file, or just "failure".
            if let item = try? await tree.client.call(.stat(place)).attributes() {
                guard item.type == .directory else { throw FileError.notADirectory(path) }
                // Some say so because of an entry that they cannot look up (paramiko's examples, of a broken link).
                if status.code == .noSuchFile {
                    throw cocoaError(path, code: .fileReadUnknown, reason: "the server cannot list it")
                }
            }
            throw sftpError(path, status, writing: false)
        }
    }

    private func page(_ opened: Opened, requests: Int) async throws -> DirectoryListing.Page? {
        // A server that works on several requests at once may give the same names twice.
        let count = opened.tree.client.traits.isSequential ? requests : 1
        let calls = Array(repeating: SFTPCall.readdir(opened.handle), count: count)
        var page: DirectoryListing.Page = []
        var isAtEnd = false
        for reply in try await opened.tree.client.callAll(calls) {
            if case .status(let status) = reply {
                guard status.code == .endOfFile else { throw sftpError(path, status, writing: false) }
                isAtEnd = true
            } else {
                try append(try await about(path) { try reply.names() }, to: &page, limit: opened.tree.maximumEntries)
            }
        }
        if isAtEnd { close(opened) }
        try await fillInTypes(&page, opened)
        try await fillInLinks(&page, opened)
        return isAtEnd && page.isEmpty ? nil : page
    }

    private func close(_ opened: Opened) {
        state.withLock { $0 = .done }
        opened.tree.client.forget(.close(opened.handle))
    }

    private func append(
        _ entries: [SFTPReply.NameEntry], to page: inout DirectoryListing.Page, limit: Int
    ) throws {
        // Erlang's server begins an empty folder with one.
        let isOneTooMany = wasEmpty.withLock { wasEmpty in
            defer { wasEmpty = entries.isEmpty }
            return wasEmpty && entries.isEmpty
        }
        guard !isOneTooMany else { throw damaged("one list of names after another is empty") }
        let directory = path.asDirectory
        for entry in entries where entry.name != [46] && entry.name != [46, 46] {
            guard let name = try? ItemName(validating: entry.name) else {
                throw damaged("the server lists “\(String(decoding: entry.name, as: UTF8.self))”, which is no name")
            }
            page.append(FileObject(name: name, in: directory, entry.attributes))
        }
        let total = count.withLock { count in
            count += entries.count
            return count
        }
        guard total <= limit else {
            throw cocoaError(path, code: .fileReadTooLarge, reason: "more than \(limit) entries")
        }
    }

    private func damaged(_ reason: String) -> CocoaError {
        cocoaError(path, code: .fileReadCorruptFile, reason: reason)
    }

    /// Looks up the types of items that the listing does not specify; attributes are optional there (section 7).
    private func fillInTypes(_ page: inout DirectoryListing.Page, _ opened: Opened) async throws {
        let asked = page.indices.filter { page[$0].type == .unknown && page[$0].permissions == nil }
        guard !asked.isEmpty else { return }
        let calls = asked.map { SFTPCall.lstat(opened.place.joined(page[$0].itemName.bytes)) }
        for (index, reply) in zip(asked, try await opened.tree.client.callAll(calls)) {
            // An entry that has disappeared in the meantime stays listed.
            guard let attributes = try? reply.attributes() else { continue }
            page[index] = FileObject(name: page[index].itemName, in: path.asDirectory, attributes)
        }
    }

    /// Looks up where links lead. Some servers list a link as its target (paramiko's examples): until a server was seen
    /// to list links as links, this includes directories, since their contents could otherwise be copied or removed
    /// along with them.
    private func fillInLinks(_ page: inout DirectoryListing.Page, _ opened: Opened) async throws {
        let client = opened.tree.client
        var asked = page.indices.filter { page[$0].isSymLink }
        let knowledge = client.pool.knowledge
        if !asked.isEmpty { knowledge.listsLinks = true }
        if !client.traits.isSequential, !knowledge.listsLinks, knowledge.hasLinks ?? true {
            asked = page.indices.filter { page[$0].isDirectory }
        }
        guard !asked.isEmpty else { return }
        let places = asked.map { opened.place.joined(page[$0].itemName.bytes) }
        let replies = try await client.callAll(places.map { .readlink($0) })
        for (index, (place, reply)) in zip(asked, zip(places, replies)) {
            // A link that has disappeared in the meantime stays listed.
            guard let target = reply.target(of: place) else { continue }
            if !page[index].isSymLink {
                page[index] = FileObject(
                    path: path.asDirectory.appending(page[index].itemName), type: .symbolicLink)
            }
            page[index].linkTarget = LinkTarget(bytes: target)
        }
    }
}
