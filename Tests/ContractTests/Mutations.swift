import FileProviders
import Foundation

extension Mutation {
    /// What real providers have got wrong.
    static let all = names + listings + readings + writings + operations + others

    private static let names = [
        Mutation("names are composed", .names) { $0.renamePaths { $0.precomposedStringWithCanonicalMapping } },
        Mutation("names are percent-decoded", .names) { $0.renamePaths { $0.removingPercentEncoding ?? $0 } },
        Mutation("space at a name's end is cut off", .names) {
            $0.renamePaths { $0.trimmingCharacters(in: .whitespaces) }
        },
        Mutation("names are folded to lower case", .names) { $0.renamePaths { $0.lowercased() } },
        Mutation("a trailing slash is ignored", .names) {
            $0.attributes = { try await $0.attributesOfItem(path: $1.isIdentifier ? $1 : $1.withoutSlash) }
        },
    ]

    private static let listings = [
        Mutation("a page that fails takes the pages before with it", .listing) {
            $0.listing = { base, path in DirectoryListing(page: { try await base.listing(path: path).collect() }) }
        },
        Mutation("a page begins with the last entry of the page before", .listing) {
            $0.listing = { base, path in
                let last = Box<FileObject?>(nil)
                return base.listing(path: path).mapPages { page in last.exchange(page.last).map { [$0] + page } ?? page
                }
            }
        },
        Mutation("the second page is lost", .listing) {
            $0.listing = { base, path in
                let count = Box(0)
                return base.listing(path: path).mapPages { count.exchange(count.value + 1) == 1 ? [] : $0 }
            }
        },
        Mutation("a missing directory is empty", .listing) {
            $0.listing = { base, path in
                DirectoryListing(page: { (try? await base.listing(path: path).collect()) ?? [] })
            }
        },
        Mutation("entries have no size", .listing) {
            $0.listing = { base, path in
                base.listing(path: path).mapPages { page in
                    page.map { file in
                        var file = file
                        file.size = nil
                        return file
                    }
                }
            }
        },
        Mutation("a recursive search stays in its directory", .search) {
            $0.search = { base, path, _, query in base.search(path: path, recursive: false, query: query) }
        },
    ]

    private static let readings = [
        Mutation("a range is ignored", .reading) { $0.read = { try await $0.read(path: $1, range: .all, in: $3) } },
        Mutation("a range's end is included", .reading) {
            $0.read = { base, path, range, context in
                guard case .range(let bytes) = range, bytes.upperBound < .max else {
                    return try await base.read(path: path, range: range, in: context)
                }
                return try await base.read(
                    path: path, range: .range(bytes.lowerBound..<bytes.upperBound + 1), in: context)
            }
        },
        Mutation("a missing file reads as an error page", .reading) {
            $0.read = { base, path, range, context in
                do { return try await base.read(path: path, range: range, in: context) } catch  where error.isNoSuchFile
                {
                    let page = Data("<h1>404 Not Found</h1>".utf8)
                    return FileContents(head: .init(length: nil, totalSize: nil), bytes: ByteStream(page))
                }
            }
        },
        Mutation("the expected version is not looked at", .reading) {
            $0.read = { base, path, range, _ in try await base.read(path: path, range: range, in: OperationContext()) }
        },
    ]
}
