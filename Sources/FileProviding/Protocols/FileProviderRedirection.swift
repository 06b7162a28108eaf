import Foundation

/// A provider whose server can report that something has moved permanently.
public protocol FileProviderRedirection: FileProviderBasic {
    /// Returns the URL that the server last reported an item to have moved to permanently, or `nil`. Makes no request.
    func permanentRedirection(of path: ItemPath) -> URL?
}

extension URLError {
    private static let permanentRedirectionKey = "FileProviding.permanentRedirection"

    /// The permanent new address the server gave, if that is why the request failed.
    public var permanentRedirection: URL? { userInfo[Self.permanentRedirectionKey] as? URL }

    /// Returns the same error with the address that the server gave.
    public func carrying(permanentRedirection url: URL) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.permanentRedirectionKey: url]) { $1 })
    }
}
