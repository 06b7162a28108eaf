import FileProviding
import Foundation
import MemoryFiles
import ProviderAdapter
import Testing

@testable import CloudCore

/// A server in memory with a core that looks at it, and a count of what is asked.
final class Server: Sendable {
    let scratch: Scratch
    let provider: MemoryFileProvider
    let connection: CountingConnection
    let core: Core

    /// - Parameter clock: what time the vault takes it to be.
    init(
        propagates: Bool = true, hasFileIDs: Bool = true, tells: Bool = true, pageSize: Int = 1_000,
        clock: @escaping @Sendable () -> FileTime = { FileTime(Date()) }
    ) throws {
        scratch = try Scratch()
        provider = MemoryFileProvider(pageSize: pageSize)
        connection = CountingConnection(
            inner: ProviderAdapter(provider), propagates: propagates, hasFileIDs: hasFileIDs, tells: tells)
        let bookmark = try Bookmark(name: "Memory", url: #require(URL(string: "mem:test/")))
        core = Core(vault: try Vault(of: bookmark, in: scratch.folder, clock: clock), connection: connection)
    }

    func write(_ path: ItemPath, _ text: String = "x") async throws {
        try await provider.writeContents(path: path, contents: Data(text.utf8), overwrite: true)
    }

    func folder(_ path: ItemPath) async throws { try await provider.createDirectory(path: path, createsParents: true) }

    /// Every path that the vault knows.
    func known() async throws -> [String] {
        try await core.vault.database.read { reader in
            var paths: [String] = []
            try reader.forEachItem(in: .vault, where: .all, sorted: nil) { paths.append($0.path.description) }
            return paths.sorted()
        }
    }

    /// Every path that the server has.
    func walked() async throws -> [String] {
        try await provider.recursiveListing(path: .root).collect().map(\.path.description).sorted()
    }
}

/// A connection that counts, that can be cut, and that can lack what other servers lack.
final class CountingConnection: Connection {
    private let inner: Locked<any Connection>
    let propagates: Bool
    let hasFileIDs: Bool
    let tells: Bool
    private let areTagsWeak = Locked(false)
    private let counts = Locked<[String]>([])
    private let failure = Locked<(any Error)?>(nil)
    private let refused = Locked<Set<ItemPath>>([])

    init(inner: any Connection, propagates: Bool, hasFileIDs: Bool, tells: Bool) {
        self.inner = Locked(inner)
        self.propagates = propagates
        self.hasFileIDs = hasFileIDs
        self.tells = tells
    }

    /// What has been asked since this was last called, in order.
    func requests() -> [String] {
        counts.withLock { counts in
            defer { counts = [] }
            return counts
        }
    }

    /// Lets every request fail, or none.
    func fail(with error: (any Error)?) { failure.withLock { $0 = error } }

    /// Lets the listing of one directory be refused, or not.
    func refuse(_ path: ItemPath, _ isRefused: Bool) {
        refused.withLock { refused in
            if isRefused { refused.insert(path) } else { refused.remove(path) }
        }
    }

    /// Lets another server answer from now on.
    func connect(to connection: any Connection) { inner.withLock { $0 = connection } }

    /// Lets the tags of files be weak or strong.
    func weakenTags(_ areWeak: Bool) { areTagsWeak.withLock { $0 = areWeak } }

    func traits() async throws -> ConnectionTraits {
        try check()
        return ConnectionTraits(propagatesDirectoryETags: propagates)
    }

    func attributes(of path: ItemPath) async throws -> FileObject {
        counts.withLock { $0.append("attributes \(path)") }
        try check()
        return stripped(try await inner.withLock({ $0 }).attributes(of: path))
    }

    func listing(of path: ItemPath) -> DirectoryListing {
        let pages = inner.withLock({ $0 }).listing(of: path)
        return DirectoryListing { [self] in
            let iterator = Locked(pages.makeAsyncIterator())
            let isFirst = Locked(true)
            return { [self] in
                if isFirst.withLock({ first in
                    defer { first = false }
                    return first
                }) {
                    counts.withLock { $0.append("list \(path)") }
                }
                try check()
                if refused.withLock({ $0.contains(path) }) { throw cocoaError(path, code: .fileReadNoPermission) }
                var next = iterator.withLock { $0 }
                let page = try await next.next()
                iterator.withLock { [next] in $0 = next }
                return page?.map(stripped)
            }
        }
    }

    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? {
        tells ? try await inner.withLock({ $0 }).signals() : nil
    }

    private func check() throws { if let error = failure.withLock({ $0 }) { throw error } }

    private func stripped(_ file: FileObject) -> FileObject {
        var file = file
        if areTagsWeak.withLock({ $0 }), !file.isDirectory { file.etag = file.etag.map { ETag(rawValue: "W/\($0)") } }
        if !hasFileIDs { file.fileID = nil }
        if !propagates, file.isDirectory { file.etag = nil }
        return file
    }
}
