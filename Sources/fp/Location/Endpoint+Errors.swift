import FileProviders
import Foundation

extension [Endpoint] {
    /// The item that an error is about in the form in which the person wrote it, if it is one of these or below one.
    func place(of error: any Error) -> String? {
        if let url = (error as? URLError)?.userInfo[NSURLErrorFailingURLErrorKey] as? URL {
            return first { url.isOnServer(of: $0.provider) }?.location.description
        }
        guard let path = (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String else { return nil }
        if let same = first(where: { $0.path.description == path }) { return same.location.description }
        guard let item = try? ItemPath(validating: path) else { return nil }
        return first { item.isInside($0.path) }.map { ShownName.escaped($0.name(of: item)) }
    }
}
