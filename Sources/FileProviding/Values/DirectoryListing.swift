/// A directory's entries, page by page, fetched on demand.
///
/// Iterate it for pages, or ``entries`` for single items. Nothing is requested before the first page is pulled, and
/// each further page only when it is pulled; iterating again lists again. When a page fails, the pages before it have
/// been delivered. The order is the provider's; the directory itself is never among its entries.
public struct DirectoryListing: AsyncSequence, Sendable {
    /// Some of the entries; an empty page may still be followed by another.
    public typealias Page = [FileObject]
    /// Fetches the next page, or returns `nil` after the last. Called by one reader at a time.
    public typealias NextPage = @Sendable () async throws -> Page?

    private let begin: @Sendable () -> NextPage

    /// Creates a listing that `begin` starts again for each iteration.
    public init(beginning begin: @escaping @Sendable () -> NextPage) { self.begin = begin }

    /// Creates a listing of one page, fetched by `page`.
    public init(page: @escaping @Sendable () async throws -> Page) {
        self.init {
            let isDone = Locked(false)
            return {
                isDone.withLock { done in
                    defer { done = true }; return done
                } ? nil : try await page()
            }
        }
    }

    /// Returns a listing of pages that each carry a token for the next.
    ///
    /// A repeated token ends the listing with `CocoaError(.fileReadCorruptFile)` instead of looping forever.
    ///
    /// - Parameter fetch: fetches the page of a token, `nil` for the first.
    public static func paginated(
        _ fetch: @escaping @Sendable (_ token: String?) async throws -> (entries: Page, next: String?)
    ) -> DirectoryListing {
        DirectoryListing {
            let state = Locked(PagingState())
            return {
                guard let token = try state.withLock({ try $0.upcoming() }) else { return nil }
                let (entries, next) = try await fetch(token.value)
                state.withLock { $0.advance(to: next) }
                return entries
            }
        }
    }

    /// An iterator over the pages of a listing.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let nextPage: NextPage

        /// Returns the next page, or `nil` after the last. Throws `CancellationError` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Page? {
            try Task.checkCancellation()
            return try await nextPage()
        }
    }

    /// Begins the listing.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextPage: begin()) }
}

extension DirectoryListing {
    /// Returns all entries at once. Throws what the first failing page throws.
    public func collect() async throws -> [FileObject] {
        var all: [FileObject] = []
        for try await page in self { all.append(contentsOf: page) }
        return all
    }

    /// Returns a listing of only the entries for which `isIncluded` returns true.
    public func filter(_ isIncluded: @escaping @Sendable (FileObject) -> Bool) -> DirectoryListing {
        mapPages { $0.filter(isIncluded) }
    }

    /// Returns a listing whose pages are transformed by `transform`.
    public func mapPages(_ transform: @escaping @Sendable (Page) async throws -> Page) -> DirectoryListing {
        DirectoryListing { [begin] in
            let nextPage = begin()
            return {
                guard let page = try await nextPage() else { return nil }
                return try await transform(page)
            }
        }
    }

    /// The entries one by one.
    public var entries: Entries { Entries(listing: self) }

    /// A listing's entries one by one.
    public struct Entries: AsyncSequence, Sendable {
        let listing: DirectoryListing

        /// Begins the listing.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: listing.makeAsyncIterator()) }

        /// An iterator over the entries of page after page.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var pages: DirectoryListing.AsyncIterator
            var page: Page.Iterator = [].makeIterator()

            /// Returns the next entry, or `nil` after the last.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> FileObject? {
                while true {
                    if let file = page.next() { return file }
                    guard let following = try await pages.next(isolation: actor) else { return nil }
                    page = following.makeIterator()
                }
            }
        }
    }
}

/// The next page to fetch, and the tokens already used.
private struct PagingState {
    struct Token { let value: String? }

    private var next: Token? = Token(value: nil)
    private var seen: Set<String> = []
    private var isRepeating = false

    /// The next page's token, or `nil` after the last page.
    func upcoming() throws -> Token? {
        guard !isRepeating else {
            throw cocoaError("listing", code: .fileReadCorruptFile, reason: "the server repeats a page token")
        }
        return next
    }

    mutating func advance(to token: String?) {
        next = token.map { Token(value: $0) }
        if let token { isRepeating = !seen.insert(token).inserted }
    }
}
