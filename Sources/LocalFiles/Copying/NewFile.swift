import CPlatform
import FileProviding
import Glibc

/// A file on its way into a directory: without a name where the file system can do that, else under a hidden one.
///
/// It goes away with the last reference unless it was published.
final class NewFile: Sendable {
    let file: LocalFileHandle
    private let directory: Directory
    private let temporaryName: Locked<ItemName?>

    /// - Parameter isPrivate: whether nobody else may open it before it gets its permissions.
    init(in directory: Directory, isPrivate: Bool) throws(Errno) {
        self.directory = directory
        let permissions: mode_t = isPrivate ? 0o600 : 0o666
        let unnamed = fp_open_unnamed(directory.descriptor, permissions)
        if unnamed >= 0 {
            file = LocalFileHandle(owning: unnamed)
            temporaryName = Locked(nil)
        } else {
            let name = TemporaryName.make()
            file = try directory.create(name, permissions: permissions)
            temporaryName = Locked(name)
        }
    }

    deinit {
        if let name = temporaryName.withLock({ $0 }) { try? directory.remove(name) }
    }

    /// Puts the file in its place in one step and describes it, as ``Destination/receive(_:_:byRenaming:)`` does.
    func publish(at destination: Destination, _ options: OperationOptions) throws -> FileObject {
        try destination.receive(file, options) { place, replacing throws(Errno) in
            try rename(to: place, replacing: replacing)
        }
    }

    private func rename(to place: Place, replacing: Bool) throws(Errno) {
        if temporaryName.withLock({ $0 }) == nil {
            do { return try giveName(place.name) } catch {
                guard replacing, error.code == EEXIST else { throw error }
            }
            // Linking cannot replace, renaming can.
            let temporary = TemporaryName.make()
            try giveName(temporary)
            temporaryName.withLock { $0 = temporary }
        }
        guard let temporary = temporaryName.withLock({ $0 }) else { return }
        try directory.rename(temporary, to: place.directory, as: place.name, replacing: replacing)
        temporaryName.withLock { $0 = nil }
    }

    private func giveName(_ name: ItemName) throws(Errno) {
        try systemCall { name.withCString { fp_name(file.descriptor, directory.descriptor, $0) } }
    }
}
