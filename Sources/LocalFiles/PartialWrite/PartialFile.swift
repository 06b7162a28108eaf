import CPlatform
import FileProviding
import Foundation
import Glibc

/// A file that takes its bytes in parts, and outlives the program once its state was taken.
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

    /// What the file becomes.
    private let path: ItemPath
    private let length: Int64?
    private let new: NewFile
    /// Whether an earlier run began it.
    private let isResumed: Bool
    /// Whether it may have been begun for its owner only.
    private let isPrivate: Bool
    private let confirmed: Locked<Int64>

    /// Begins a file that will be at `path`.
    init(for path: ItemPath, length: Int64?, in directory: Directory, isPrivate: Bool) throws(Errno) {
        self.path = path
        self.length = length
        self.isPrivate = isPrivate
        isResumed = false
        new = try NewFile(in: directory, isPrivate: isPrivate)
        confirmed = Locked(0)
        // A full disk shows before the first byte; a file system that cannot reserve is fine.
        if let length, length >= Self.reservedLength, fp_reserve(file.descriptor, length) != 0, errno == ENOSPC {
            throw Errno(ENOSPC)
        }
    }

    /// Goes on with a file, or `nil` when it is not there any more. One that lost bytes, or was to have another length,
    /// begins at 0.
    init?(resuming state: ResumableUpload.State?, for path: ItemPath, length: Int64?, in directory: Directory) {
        guard let state, let note = try? JSONDecoder().decode(Note.self, from: state), note.path == path,
            TemporaryName.isOurs(note.name),
            let new = try? NewFile(kept: note.name, in: directory), let status = try? new.file.status(),
            status.isRegularFile, status.identity == note.identity
        else { return nil }
        self.path = path
        self.length = length
        self.new = new
        isResumed = true
        isPrivate = true
        let isWhole = note.length == length && (0...status.size).contains(note.acknowledged)
        confirmed = Locked(isWhole ? note.acknowledged : 0)
    }

    var file: LocalFileHandle { new.file }

    /// Whether its state was taken, so that it may be long under way.
    var isKept: Bool { new.isKept }

    var acknowledged: Int64 { confirmed.withLock { $0 } }

    /// Gives the file a hidden name, with which it outlives the program.
    func saveState() throws -> ResumableUpload.State {
        let note = Note(
            path: path, length: length, name: try new.keep(), identity: try file.status().identity,
            acknowledged: acknowledged)
        return try JSONEncoder().encode(note)
    }

    /// Notes that the bytes before `offset` are in the file; never goes back.
    func acknowledge(upTo offset: Int64) {
        confirmed.withLock { $0 = max($0, offset) }
    }

    /// The permissions that a new file gets in this directory, where the file may have been begun without them.
    func missingPermissions(in directory: Directory) throws(Errno) -> mode_t? {
        guard isPrivate, try file.status().permissions == NewFile.privatePermissions else { return nil }
        return try NewFile(in: directory, isPrivate: false).file.status().permissions
    }

    /// Cuts off what lies behind the file's end: bytes of an interrupted attempt, or room that was reserved there.
    ///
    /// - Throws: when the file is shorter.
    func cut(to length: Int64) throws {
        let size = try file.status().size
        guard size >= length else { throw FileError.wrongLength(path, expected: length, got: size) }
        // Room does not show in the size.
        if isResumed || size > length { try systemCall { ftruncate(file.descriptor, off_t(length)) } }
    }

    /// Puts the complete file in its place in one step and describes it.
    func publish(at destination: Destination, _ options: OperationOptions) throws -> FileObject {
        try new.publish(at: destination, options)
    }

    /// Takes the file away.
    func remove() throws(Errno) { try new.remove() }
}
