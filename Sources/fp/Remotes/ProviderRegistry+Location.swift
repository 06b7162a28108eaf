import FileProviders
import Foundation

extension ProviderRegistry {
    /// Returns the location of a saved remote in a form that can be passed to `fp`: the URL of the same storage,
    /// account and directory. `nil` for a kind that this program does not know.
    func location(of entry: StoredProvider) -> String? {
        guard let provider = try? open(entry) else { return nil }
        let identity = provider.identity
        let url = provider.url(of: entry.root)
        let root = identity.root.appending(entry.root)
        // A gallery's items have other URLs than its categories: the directory's path alone is tried too.
        let paths = [url.path(percentEncoded: true), "/\(root.percentEncoded)"]
        let candidates = (providers.last { $0.type == entry.type }?.schemes ?? []).flatMap { scheme in
            paths.compactMap { path -> URL? in
                guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
                parts.scheme = scheme
                parts.user = provider.namedUser
                parts.percentEncodedPath = path
                return parts.url
            }
        }
        let location = candidates.first { url in
            guard let (same, path) = try? open(url) else { return false }
            // A server is the same with and without TLS; the connection is not.
            return same.identity.sharesStorage(with: identity) && same.baseURL?.scheme == provider.baseURL?.scheme
                && same.identity.root.appending(path).asDirectory == root.asDirectory
        }
        return (location ?? url).absoluteString
    }
}
