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

/// Pulls one directory: requests, bytes, entries. One reader at a time.
private final class HTTPPages<Provider: HTTPFileProvider>: Sendable {
    private enum State {
        case requesting(token: String?)
        case reading(ByteStream.AsyncIterator, any HTTPPageDecoder)
        /// The entries before the error have been delivered.
        case failing(any Error)
        case done

        /// Returns the state; what is being read is gone from it then.
        mutating func take() -> State {
            guard case .reading = self else { return self }
            var taken = State.done
            swap(&taken, &self)
            return taken
        }
    }

    private let provider: Provider
    private let path: ItemPath
    private let state = Locked<State>(.requesting(token: nil))
    private let seenTokens = Locked<Set<String>>([])

    init(provider: Provider, path: ItemPath) {
        self.provider = provider
        self.path = path
    }

    func next() async throws -> DirectoryListing.Page? {
        while true {
            // Taken out, so that a decoder has its buffer to itself: each chunk would copy it otherwise.
            switch state.withLock({ $0.take() }) {
            case .requesting(let token):
                try await request(token)
            case .reading(var bytes, var decoder):
                let page: DirectoryListing.Page
                if let chunk = try await bytes.next() {
                    page = try decoder.consume(chunk)
                    state.withLock { $0 = .reading(bytes, decoder) }
                } else {
                    page = try finish(&decoder)
                }
                if !page.isEmpty { return page }
            case .failing(let error):
                state.withLock { $0 = .done }
                throw error
            case .done:
                return nil
            }
        }
    }

    private func request(_ token: String?) async throws {
        try await provider.prepare()
        let path = try await provider.located(path)
        var request = try provider.pageRequest(path: path, token: token)
        request.acceptsCompression = true
        let (response, body) = try await provider.session.stream(for: request)
        guard response.isSuccess else {
            throw try await provider.fileError(
                for: response, data: body.collectRefusal(), operation: .fetch(path.asDirectory))
        }
        var decoder = provider.pageDecoder(path: path)
        try decoder.begin(response)
        state.withLock { [decoder] in $0 = .reading(body.makeAsyncIterator(), decoder) }
    }

    private func finish(_ decoder: inout any HTTPPageDecoder) throws -> DirectoryListing.Page {
        let (entries, token) = try decoder.finish()
        let next: State
        if let token {
            let isNew = seenTokens.withLock { $0.insert(token).inserted }
            next =
                isNew
                ? .requesting(token: token)
                : .failing(cocoaError(path, code: .fileReadCorruptFile, reason: "the server repeats a page token"))
        } else {
            next = .done
        }
        state.withLock { $0 = next }
        return entries
    }
}
