import FileProviding

/// Makes the listings of any provider fail after a number of pages: what is derived from them must keep those pages.
struct PageFailure: FileProviderBasic {
    static let type = "PageFailure"

    let base: any FileProviderBasic
    let pagesBeforeFailure: Int
    let context = FileProviderContext()

    var identity: ProviderIdentity { base.identity }

    func attributesOfItem(path: ItemPath) async throws -> FileObject { try await base.attributesOfItem(path: path) }

    func copy() -> PageFailure { PageFailure(base: base, pagesBeforeFailure: pagesBeforeFailure) }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let pages = Locked(base.listing(path: path).makeAsyncIterator())
            let left = Locked(pagesBeforeFailure)
            return {
                guard
                    left.withLock({ left in
                        left -= 1
                        return left >= 0
                    })
                else { throw cocoaError(path, code: .fileReadCorruptFile, reason: "a page was made to fail") }
                var next = pages.withLock { $0 }
                return try await next.next()
            }
        }
    }
}
