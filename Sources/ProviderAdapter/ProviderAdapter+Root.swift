import CloudCore
import FileProviding
import Foundation

/// A missing root: an unmounted disk, a renamed folder, a withdrawn share.
extension ProviderAdapter {
    /// Returns the root's attributes.
    ///
    /// - Throws: `URLError(.cannotConnectToHost)` when it does not exist, or is no folder; `.resourceUnavailable` with
    ///   the new address when the server reports that it has moved permanently.
    func presentRoot() async throws -> FileObject {
        let result: Result<FileObject, any Error>
        do { result = .success(try await lookAtRoot()) } catch { result = .failure(error) }
        // Even if it was followed: the credential is not sent there, and requests that change something are not
        // redirected.
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
            var present = try await provider.attributesOfItem(path: root)
            if present.isSymLink { present = try await provider.attributesOfItem(path: root.asDirectory) }
            guard present.isDirectory else { throw FileError.notADirectory(root) }
            return present
        } catch  where error.isNoSuchFile || error.isNotADirectory {
            throw urlError(
                provider.url(of: root), code: .cannotConnectToHost,
                reason: error.isNotADirectory ? "it is no folder" : "the folder is not there",
                underlying: error)
        }
    }

    /// Runs work; if an item turns out to be missing or another one, checks whether everything is.
    ///
    /// - Throws: what `work` throws, or as ``presentRoot()`` when the root does not exist.
    func withRoot<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch
            where
            error.isNoSuchFile || error.isNotADirectory || error.isADirectory || error.isRedirection
            || error.isAnotherName
        {
            _ = try await presentRoot()
            throw error
        }
    }
}

extension Error {
    /// Whether the server has answered for an item of another name, as one does that answers from one address.
    fileprivate var isAnotherName: Bool { (self as? CocoaError)?.code == .fileReadInvalidFileName }

    /// Whether the server has refused because it has moved permanently.
    fileprivate var isRedirection: Bool { [301, 308].contains(httpStatus) }
}
