import CPlatform
import FileProviding
import Foundation
import Glibc

/// A hidden file that takes its bytes in parts and outlives the program.
final class PartialFile: Sendable {
    /// What is needed to find the file again and to know it as the same.
    private struct Note: Codable {
        var path: ItemPath
        var length: Int64?
        var name: ItemName
        var identity: FileIdentity
        var acknowledged: Int64
    }

    /// Files from this length on get their room on the disk at once.
    private static let reservedLength: Int64 = 1 << 20

    private static let privatePermissions: mode_t = 0o600

    let file: LocalFileHandle
    private let directory: Directory
    private let note: Locked<Note>

    /// Begins a file that will be at `path`.
    init(for path: ItemPath, length: Int64?, in directory: Directory, isPrivate: Bool) throws(Errno) {
        let name = TemporaryName.make()
        self.directory = directory
        file = try directory.create(name, permissions: isPrivate ? Self.privatePermissions : 0o666)
        // A full disk shows before the first byte; a file system that cannot reserve is fine.
        if let length, length >= Self.reservedLength, fp_reserve(file.descriptor, length) != 0, errno == ENOSPC {
            try? directory.remove(name)
            throw Errno(ENOSPC)
        }
        let identity = try file.status().identity
        note = Locked(Note(path: path, length: length, name: name, identity: identity, acknowledged: 0))
    }

    /// Goes on with a file, or `nil` when it is not there any more. One that lost bytes, or was to have another length,
    /// begins at 0.
    init?(resuming state: ResumableUpload.State?, for path: ItemPath, length: Int64?, in directory: Directory) {
        guard let state, var note = try? JSONDecoder().decode(Note.self, from: state), note.path == path,
            TemporaryName.isOurs(note.name),
            let file = try? directory.openForWriting(note.name), let status = try? file.status(),
            status.isRegularFile, status.identity == note.identity
        else { return nil }
        if note.length != length || !(0...status.size).contains(note.acknowledged) { note.acknowledged = 0 }
        note.length = length
        self.directory = directory
        self.file = file
        self.note = Locked(note)
    }

    var acknowledged: Int64 { note.withLock { $0.acknowledged } }

    var state: ResumableUpload.State {
        // Encoding names, numbers and text cannot fail.
        (try? JSONEncoder().encode(note.withLock { $0 })) ?? Data()
    }

    /// Notes that the bytes before `offset` are in the file; never goes back.
    func acknowledge(upTo offset: Int64) {
        note.withLock { $0.acknowledged = max($0.acknowledged, offset) }
    }

    /// The permissions that a new file gets in this directory; another one is made to see them only for a file that may
    /// have been begun in private.
    func ordinaryPermissions() throws(Errno) -> mode_t {
        let permissions = try file.status().permissions
        guard permissions == Self.privatePermissions else { return permissions }
        return try NewFile(in: directory, isPrivate: false).file.status().permissions
    }

    /// Puts the complete file in its place in one step and describes it.
    func publish(at destination: Destination, _ options: OperationOptions) throws -> FileObject {
        try destination.receive(file, options) { place, replacing throws(Errno) in
            try directory.rename(note.withLock { $0.name }, to: place.directory, as: place.name, replacing: replacing)
        }
    }

    /// Takes the file away.
    func remove() throws(Errno) { try directory.remove(note.withLock { $0.name }) }
}

extension Directory {
    /// Opens a file that exists for reading and writing.
    fileprivate func openForWriting(_ name: ItemName) throws(Errno) -> LocalFileHandle {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        return LocalFileHandle(owning: try systemCall { name.withCString { openat(descriptor, $0, flags) } })
    }
}
