import Foundation

/// A provider whose server can say that something has moved for good.
public protocol FileProviderRedirection: FileProviderBasic {
    /// Where the server has last said that an item has moved for good, or `nil`. Nothing is asked for it.
    func permanentRedirection(of path: ItemPath) -> URL?
}

extension URLError {
    private static let permanentRedirectionKey = "FileProviding.permanentRedirection"

    /// Where the server says that what was asked for is from now on, if that is why it was not done.
    public var permanentRedirection: URL? { userInfo[Self.permanentRedirectionKey] as? URL }

    /// The same error with the address that the server has given.
    public func carrying(permanentRedirection url: URL) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.permanentRedirectionKey: url]) { $1 })
    }
}
