import FileProviders

/// The items of one directory, as far as they could be listed.
struct DirectoryContents: Sendable {
    private(set) var items: [FileObject] = []
    /// Why there are no more, if the listing failed.
    private(set) var error: (any Error)?

    init(of path: ItemPath, by provider: any FileProviderBasic) async {
        do {
            for try await page in provider.listing(path: path) { items += page }
        } catch {
            self.error = error
        }
    }
}

extension Sequence<ItemPath> {
    /// Passes on the items of each directory in order, while the next ones are being listed.
    func contents(
        by provider: any FileProviderBasic, _ take: (ItemPath, DirectoryContents) async throws -> Void
    ) async throws {
        try await ahead {
            await DirectoryContents(of: $0, by: provider)
        } take: { path, contents in
            try await take(path, contents.get())
        }
    }
}
