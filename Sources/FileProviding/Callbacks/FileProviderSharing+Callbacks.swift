import Foundation

extension FileProviderSharing {
    /// Returns a public link to an item.
    @discardableResult
    public func publicLink(
        to path: ItemPath,
        completionHandler:
            @escaping @Sendable (
                _ link: URL?, _ attribute: FileObject?, _ expiration: Date?, _ error: (any Error)?
            ) -> Void
    ) -> Progress {
        callback().start {
            try await publicLink(to: path)
        } finish: {
            let (link, error) = $0.parts
            completionHandler(link?.url, link?.file, link?.expiration, error)
        }
    }
}
