import CloudCore
import FileProviding
import Foundation

/// A root that is not there: an unmounted disk, a folder that was renamed, a share that was withdrawn.
extension ProviderAdapter {
    /// The root's attributes.
    ///
    /// - Throws: `URLError(.cannotConnectToHost)` when it is not there, or is a file; `.resourceUnavailable` with the
    ///   new address when the server says that it has moved for good.
    func presentRoot() async throws -> FileObject {
        let result: Result<FileObject, any Error>
        do { result = .success(try await lookAtRoot()) } catch { result = .failure(error) }
        // Also where it was followed: the credential does not go there, and what changes something is not sent on.
        if let moved = (provider as? any FileProviderRedirection)?.permanentRedirection(of: root) {
            throw urlError(
                provider.url(of: root), code: .resourceUnavailable,
                reason: "it has moved to \(moved.absoluteString) for good"
            ).carrying(permanentRedirection: moved)
        }
        return try result.get()
    }

    private func lookAtRoot() async throws -> FileObject {
        do {
            let present = try await provider.attributesOfItem(path: root)
            guard present.type != .regular else { throw FileError.notADirectory(root) }
            return present
        } catch  where error.isNoSuchFile || error.isNotADirectory {
            throw urlError(
                provider.url(of: root), code: .cannotConnectToHost, reason: "the folder is not there",
                underlying: error)
        }
    }

    /// Does something; where it finds an item missing, looks whether that is because everything is.
    ///
    /// - Throws: what `work` throws, or as ``presentRoot()`` where the root is not there.
    func withRoot<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch
            where
            error.isNoSuchFile || error.isNotADirectory || error.isADirectory || error.isRedirection
        {
            _ = try await presentRoot()
            throw error
        }
    }
}

extension Error {
    /// Whether the server has refused to do something here since it has moved for good.
    fileprivate var isRedirection: Bool { [301, 308].contains(httpStatus) }
}
