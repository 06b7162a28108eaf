import CloudCore
import FileProviding

/// A connection that counts, that can be cut, that loses requests or replies, and that can lack what other servers
/// lack.
final class CountingConnection: Connection {
    private let inner: Locked<any Connection>
    let propagates: Bool
    let hasFileIDs: Bool
    let tells: Bool
    private let areTagsWeak = Locked(false)
    private let counts = Locked<[String]>([])
    private let failure = Locked<(any Error)?>(nil)
    private let refused = Locked<Set<ItemPath>>([])
    private let unseen = Locked<Set<ItemPath>>([])
    private let faults = Locked<[Fault]>([])
    private let hooks = Locked(Hooks())

    private struct Hooks {
        var luck: (@Sendable (ConnectionOperation) -> Fault)?
        var watcher: (@Sendable (ConnectionOperation, EventID) async -> Void)?
        var asked: (@Sendable (ItemPath) async throws -> Void)?
        var listed: (@Sendable (ItemPath) async throws -> Void)?
    }

    /// What happens to one operation.
    enum Fault {
        /// Nothing.
        case none
        /// It does not reach the server.
        case lost(any Error)
        /// The server does it, and the reply does not come.
        case unanswered(any Error)
        /// It does not reach the server before its task is cancelled.
        case held
    }

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

    /// Lets the next operations meet these, one each.
    func meet(_ faults: Fault...) { self.faults.withLock { $0 += faults } }

    /// Lets operations that meet nothing else meet what this says, or nothing.
    func meet(by luck: (@Sendable (ConnectionOperation) -> Fault)?) { hooks.withLock { $0.luck = luck } }

    /// Has each operation told before it reaches the server, with the command that it is about.
    func watch(_ watcher: @escaping @Sendable (ConnectionOperation, EventID) async -> Void) {
        hooks.withLock { $0.watcher = watcher }
    }

    /// Has each listing told of before it reaches the server.
    func whenAsked(_ asked: @escaping @Sendable (ItemPath) async throws -> Void) {
        hooks.withLock { $0.asked = asked }
    }

    /// Has each listing told of when the server has given all of it, before its end is taken over.
    func whenListed(_ listed: @escaping @Sendable (ItemPath) async throws -> Void) {
        hooks.withLock { $0.listed = listed }
    }

    /// Lets the listing of one directory be refused, or not.
    func refuse(_ path: ItemPath, _ isRefused: Bool) {
        refused.withLock { refused in
            if isRefused { refused.insert(path) } else { refused.remove(path) }
        }
    }

    /// Lets questions about one item be refused.
    func refuseAttributes(of path: ItemPath) { unseen.withLock { _ = $0.insert(path) } }

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
        if unseen.withLock({ $0.contains(path) }) { throw cocoaError(path, code: .fileReadNoPermission) }
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
                    try await hooks.withLock { $0.asked }?(path)
                }
                try check()
                if refused.withLock({ $0.contains(path) }) { throw cocoaError(path, code: .fileReadNoPermission) }
                var next = iterator.withLock { $0 }
                let page = try await next.next()
                iterator.withLock { [next] in $0 = next }
                if page == nil { try await hooks.withLock { $0.listed }?(path) }
                return page?.map(stripped)
            }
        }
    }

    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? {
        tells ? try await inner.withLock({ $0 }).signals() : nil
    }

    func thumbnail(of path: ItemPath, within size: PixelSize?) async throws -> Thumbnail {
        counts.withLock { $0.append("thumbnail \(path)") }
        try check()
        return Thumbnail(data: Array("picture of \(path)".utf8), mediaType: "image/png", size: size)
    }

    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        counts.withLock { $0.append(operation.summary) }
        if let error = failure.withLock({ $0 }) { return await target.send(.failed(EventFailure(error))) }
        let next = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch next ?? hooks.withLock({ $0.luck })?(operation) ?? .none {
        case .none:
            await reach(operation, counting: progress, for: target)
        case .lost(let error):
            await target.send(.failed(EventFailure(error)))
        case .held:
            let (wait, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in wait {}  // Ends with the task.
            end.finish()
            await target.send(.failed(EventFailure(CancellationError())))
        case .unanswered(let error):
            await reach(operation, counting: progress, for: EventTarget(target.address) { _ in })
            await target.send(.failed(EventFailure(error)))
        }
    }

    private func reach(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        await hooks.withLock({ $0.watcher })?(operation, target.address.eventID)
        let stripping = EventTarget(target.address) { [hasFileIDs] event in
            guard case .done(var result) = event.outcome, !hasFileIDs else { return await target.send(event.outcome) }
            result.item?.fileID = nil
            await target.send(.done(result))
        }
        await inner.withLock({ $0 }).perform(operation, counting: progress, for: stripping)
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

extension ConnectionOperation {
    /// What is done to which path, in a few words.
    var summary: String {
        switch self {
        case .createFolder(let path, _, _): "folder \(path)"
        case .upload(let upload): "upload \(upload.path)"
        case .download(let path, _, _): "download \(path)"
        case .move(let item, let path, _): "move \(item.path) \(path)"
        case .copy(let item, let path, _): "copy \(item.path) \(path)"
        case .update(let item, _): "update \(item.path)"
        case .delete(let item): "delete \(item.path)"
        }
    }
}
