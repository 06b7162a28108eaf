import FileProviding
import Foundation

extension HTTPFileProvider {
    /// Returns pages as their bytes arrive, and makes further requests as long as the decoder names a next page.
    public func listing(path: ItemPath) -> DirectoryListing { defaultListing(path: path) }

    /// Returns the entries as the decoder gives them, for providers that transform them.
    public func defaultListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let pages = HTTPPages(provider: self, path: path)
            return { try await pages.next() }
        }
    }
}

/// What has been delivered of the current page, in case that it has to be requested again.
private struct DeliveredEntries {
    /// The most entries that are remembered; whoever lists begins anew where more have been delivered.
    static let limit = 1 << 15

    /// The hashes of the entries' paths.
    var hashes: [Int] = []
    /// Those from before the page was requested again.
    var known: Set<Int> = []
}

/// Pulls one directory: requests, bytes, entries. One reader at a time.
private final class HTTPPages<Provider: HTTPFileProvider>: Sendable {
    /// A page of which a part has been read.
    private struct Reading {
        let response: HTTPResponse
        var bytes: ByteStream.AsyncIterator
        var decoder: any HTTPPageDecoder
        /// The token that the page was requested with; `nil` for the first one.
        let token: String?
        /// How often the page was requested before.
        let repetitions: Int
    }

    private enum State {
        case requesting(token: String?, repetitions: Int)
        case reading(Reading)
        /// The entries before the error have been delivered.
        case failing(any Error)
        case done

        /// Returns the state, and ends the listing until there is another.
        mutating func take() -> State {
            var taken = State.done
            swap(&taken, &self)
            return taken
        }
    }

    private let provider: Provider
    private let path: ItemPath
    private let state = Locked<State>(.requesting(token: nil, repetitions: 0))
    /// The tokens of the pages that were asked for, and the address of the first one, which can be a token too.
    private let seenTokens = Locked<Set<String>>([])
    private let delivered = Locked(DeliveredEntries())

    init(provider: Provider, path: ItemPath) {
        self.provider = provider
        self.path = path
    }

    func next() async throws -> DirectoryListing.Page? {
        while true {
            // Taken out, so that an error ends the listing, and a decoder has its buffer to itself: each chunk would
            // copy it otherwise.
            switch state.withLock({ $0.take() }) {
            case .requesting(let token, let repetitions):
                try await request(token, repetitions)
            case .reading(var reading):
                var page: DirectoryListing.Page
                do {
                    if let chunk = try await reading.bytes.next() {
                        page = try reading.response.interpreted { try reading.decoder.consume(chunk) }
                        leaveOutKnown(of: &page)
                        state.withLock { [reading] in $0 = .reading(reading) }
                    } else {
                        page = try reading.response.interpreted { try finish(&reading.decoder) }
                        leaveOutKnown(of: &page)
                        delivered.withLock { $0 = DeliveredEntries() }
                    }
                } catch let error as URLError where error.code == .networkConnectionLost {
                    try await repeatPage(reading, after: error)
                    continue
                }
                if !page.isEmpty { return page }
            case .failing(let error):
                throw error
            case .done:
                return nil
            }
        }
    }

    /// Leaves out the directory itself, and what has been delivered before the page broke off.
    private func leaveOutKnown(of page: inout DirectoryListing.Page) {
        delivered.withLock { delivered in
            page.removeAll { entry in
                let entry = entry.path
                guard entry.asItem != path.asItem, !delivered.known.contains(entry.hashValue) else { return true }
                if delivered.hashes.count <= DeliveredEntries.limit { delivered.hashes.append(entry.hashValue) }
                return false
            }
        }
    }

    /// Requests a page again whose reply broke off.
    private func repeatPage(_ reading: Reading, after error: URLError) async throws {
        let (session, repetitions) = (provider.session, reading.repetitions)
        let hashes = delivered.withLock { $0.hashes }
        guard repetitions < session.configuration.retry.maximumRetries, hashes.count <= DeliveredEntries.limit,
            let pause = session.configuration.retry.pause(
                retries: repetitions, elapsed: 0, retryAfter: nil, random: session.pacer.random())
        else { throw error }
        try await session.pacer.sleep(pause)
        delivered.withLock { $0.known = Set(hashes) }
        state.withLock { $0 = .requesting(token: reading.token, repetitions: repetitions + 1) }
    }

    private func request(_ token: String?, _ repetitions: Int) async throws {
        try await provider.prepare()
        let path = try await provider.located(path)
        var request = try provider.pageRequest(path: path, token: token)
        request.acceptsCompression = true
        let (response, body) = try await provider.session.stream(for: request)
        guard response.isSuccess else {
            let error = try await provider.fileError(
                for: response, data: body.collectRefusal(), operation: .fetch(path.asDirectory))
            // The directory was there a moment ago: what is unknown is the token, or only the next listing can tell.
            guard token != nil, error.isNoSuchFile else { throw error }
            throw cocoaError(
                path, code: .fileReadUnknown, reason: "the server does not have the next page any more",
                underlying: error)
        }
        if token == nil, repetitions == 0 { seenTokens.withLock { _ = $0.insert(response.url.absoluteString) } }
        var decoder = provider.pageDecoder(path: path)
        try response.interpreted { try decoder.begin(response) }
        let reading = Reading(
            response: response, bytes: body.makeAsyncIterator(), decoder: decoder, token: token,
            repetitions: repetitions)
        state.withLock { $0 = .reading(reading) }
    }

    private func finish(_ decoder: inout any HTTPPageDecoder) throws -> DirectoryListing.Page {
        let (entries, token) = try decoder.finish()
        let next: State
        if let token {
            let isNew = seenTokens.withLock { $0.insert(token).inserted }
            next =
                isNew
                ? .requesting(token: token, repetitions: 0)
                : .failing(cocoaError(path, code: .fileReadCorruptFile, reason: "the server repeats a page token"))
        } else {
            next = .done
        }
        state.withLock { $0 = next }
        return entries
    }
}
