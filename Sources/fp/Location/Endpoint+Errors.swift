import FileProviders
import Foundation

extension [Endpoint] {
    /// Returns the item that an error is about in the form in which the user wrote it, if it is one of these or below
    /// one; for a connection, what was asked for, or the location.
    func place(of error: any Error) -> String? {
        if let url = (error as? URLError)?.userInfo[NSURLErrorFailingURLErrorKey] as? URL {
            let here = filter { url.isOnServer(of: $0.provider) }
            let exact = here.first { $0.provider.relativePathOf(url: url)?.asDirectory == $0.path.asDirectory }
            if let exact { return exact.location.description }
            return here.lazy.compactMap { $0.placeBelow(at: url) }.first ?? here.first?.location.description
        }
        guard let path = ItemPath(of: error) else { return nil }
        if let same = first(where: { $0.path.asDirectory == path.asDirectory }) { return same.location.description }
        if let above = first(where: { path.isInside($0.path) }) { return ShownName.escaped(above.name(of: path)) }
        // A provider's own question, such as what kind of server it is.
        let servers = filter { $0.provider is any HTTPFileProvider }
        return error is any FileProviderHTTPError && servers.count == 1 ? servers[0].location.description : nil
    }
}

extension Endpoint {
    /// Returns the folder below the location that a URL stands for in the form in which the location was written; other
    /// addresses may be the provider's own questions.
    fileprivate func placeBelow(at url: URL) -> String? {
        guard url.path(percentEncoded: true).hasSuffix("/"), let item = provider.relativePathOf(url: url),
            item.isInside(path), item.asDirectory != path.asDirectory,
            item.components.allSatisfy({ !TemporaryName.isOurs($0) })
        else { return nil }
        return ShownName.escaped(name(of: item))
    }

    /// Returns the item that an error is about in the form in which the location was written, if it is below the
    /// location.
    func placeBelow(of error: any Error) -> String? {
        guard let item = ItemPath(of: error), item.isInside(path), item.asDirectory != path.asDirectory else {
            return nil
        }
        return ShownName.escaped(name(of: item))
    }
}

extension ItemPath {
    /// Creates the path of the item that an error is about, if it is known.
    init?(of error: any Error) {
        let text =
            (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
            ?? (error as? any FileProviderHTTPError)?.path
        guard let text, let path = try? ItemPath(validating: text) else { return nil }
        self = path
    }
}
