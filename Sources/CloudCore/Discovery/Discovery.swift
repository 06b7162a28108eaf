import FileProviding
import Foundation

/// Keeps the vault's items in step with the server: scans, and listings that cannot wait for one.
///
/// Every directory that has to be listed is a job in the database, so that an interrupted scan continues where it was.
/// Several directories are listed at once; a directory that is being listed is not listed a second time in the
/// meantime.
actor Discovery {
    let database: Database
    let connection: any Connection
    let width: Int
    let deepCheckInterval: Duration
    private var traits: ConnectionTraits?
    private(set) var listings: [LocalID: Listing] = [:]
    var scans = 0
    /// The number of refreshes in progress: what is missing from one of their directories may be in another.
    var refreshes = 0
    /// Whether one of them has found something missing.
    var hasRefreshMissed = false

    /// A listing in progress and the other tasks that wait for it.
    struct Listing {
        let task: Task<DirectoryUpdate.Outcome, any Error>
        let end = SharedResult<DirectoryUpdate.Outcome>()
    }

    /// The refreshes that have ended and wait for others.
    var refreshers: [UUID: CheckedContinuation<Void, Never>] = [:]

    /// - Parameters:
    ///   - width: how many directories are listed at once.
    ///   - deepCheckInterval: how long an unchanged tag is trusted.
    init(database: Database, connection: any Connection, width: Int, deepCheckInterval: Duration) {
        self.database = database
        self.connection = connection
        self.width = width
        self.deepCheckInterval = deepCheckInterval
    }

    /// Makes the item at `path` known, by listing the directories above it that have not been listed, and returns it.
    ///
    /// - Throws: `.fileReadNoSuchFile` when the server has no such item.
    func resolve(_ path: ItemPath) async throws -> Item {
        var directory = LocalID.root
        var item = try await database.read { try $0.item(.root) }
        for name in path.components {
            let parent = directory
            item = try await database.read { try $0.item(named: name, in: parent) }
            if item == nil {
                _ = try await list(parent)
                item = try await database.read { try $0.item(named: name, in: parent) }
            }
            guard let found = item else { throw FileError.noSuchFile(path) }
            directory = found.localID
        }
        guard let item else { throw FileError.noSuchFile(path) }
        return item
    }

    /// Lists a directory, or waits for the listing of it that is in progress.
    ///
    /// - Parameter isAnew: whether a listing in progress is not enough, because it may be from before what is looked
    ///   for.
    private func list(_ directory: LocalID, anew isAnew: Bool = false) async throws -> DirectoryUpdate.Outcome {
        let traits = try await connectionTraits()
        let earlier = isAnew ? listings[directory]?.task : nil
        while let listing = listings[directory] {
            // A listing by another task that was cancelled is no reason to give up this one.
            do {
                let outcome = try await listing.end.value()
                if listing.task != earlier { return outcome }
            } catch is CancellationError { try Task.checkCancellation() }
            await Task.yield()
        }
        let update = DirectoryUpdate(
            database: database, connection: connection, traits: traits, directory: directory)
        let task = Task { try await update.run() }
        listings[directory] = Listing(task: task)
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        listings.removeValue(forKey: directory)?.end.finish(result)
        return try result.get()
    }

    /// Lists one of several directories. A directory that alone cannot be listed does not hold up the others: its job,
    /// if there is one, stays for the next scan, and its error is returned.
    func outcomeOfListing(
        _ directory: LocalID, anew isAnew: Bool = false
    ) async throws -> Result<DirectoryUpdate.Outcome, any Error> {
        do {
            return .success(try await list(directory, anew: isAnew))
        } catch {
            if error.isCancellation || directory == .root { throw error }
            // A server that answers otherwise has trouble with this directory alone.
            let isDoubtful = error is URLError || EventFailure(error).meaning.mayBeAboutOneItem
            if isDoubtful, await !isAnswering() { throw error }
            return .failure(error)
        }
    }

    private func isAnswering() async -> Bool { (try? await connection.attributes(of: .root)) != nil }

    func connectionTraits() async throws -> ConnectionTraits {
        if let traits { return traits }
        let found = try await connection.traits()
        traits = found
        return found
    }
}
