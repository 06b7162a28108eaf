import FileProviding
import Foundation

/// What an unfinished copy has left at its destination.
struct Leftover {
    let part: JournalPart
    let provider: any FileProvider
    /// The names that the copy may have used.
    let names: [ItemName]

    /// Removes it, even for a cancelled task. What does not exist is fine; what cannot be removed stays.
    ///
    /// - Returns: why something stays that another run may be able to remove.
    @discardableResult
    func remove() async -> (any Error)? {
        do { return try await shielded(limit: .seconds(20)) { await removed() } } catch { return error }
    }

    private func removed() async -> (any Error)? {
        var failure: (any Error)?
        if let state = part.state, let provider = provider as? any FileProviderPartialWrite {
            do {
                try await provider.beginPartialWrite(
                    path: part.staged ?? part.target, length: part.version.size, resuming: state,
                    in: OperationContext(options: OperationOptions(overwrite: true))
                ).abort()
            } catch {
                // What cannot be reached now is left to the next run; what is refused is not ours any more.
                if error.isContinuable { failure = error }
            }
        }
        var paths = part.target.parent.map { parent in names.map { parent.appending($0) } } ?? []
        if let staged = part.staged, !paths.contains(staged) { paths.append(staged) }
        for path in paths {
            do { try await provider.step(.remove(path)) } catch {
                // The connection is broken: leave it to the next run.
                if error is URLError { return failure ?? error }
                // Who may not remove anything is not told that there is nothing.
                if !error.isNoSuchFile, (try? await provider.itemExists(path: path)) != false {
                    failure = failure ?? error
                }
            }
        }
        return failure
    }
}
