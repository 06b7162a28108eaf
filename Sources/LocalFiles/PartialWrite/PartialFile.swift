import CPlatform
import FileProviding
import Foundation
import Glibc

/// A file that takes its bytes in parts, and outlives the program once its state has been read.
final class PartialFile: Sendable {
    /// The information needed to find the file again and to recognize it as the same.
    private struct Note: Codable {
        var path: ItemPath
        var length: Int64?
        var name: ItemName
        var identity: FileIdentity
        var acknowledged: Int64
    }

    /// The length from which disk space is reserved at once.
    private static let reservedLength: Int64 = 1 << 20

    /// The file's final path.
    private let path: ItemPath
    private let length: Int64?
    private let new: NewFile
    /// Whether an earlier run began the file.
    private let isResumed: Bool
    /// Whether the file may have been created with access for its owner only.
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
        // A full disk shows before the first byte; it is fine if a file system cannot reserve space.
        if let length, length >= Self.reservedLength, fp_reserve(file.descriptor, length) != 0, errno == ENOSPC {
            throw Errno(ENOSPC)
        }
    }

    /// Continues a file; `nil` when it no longer exists. One that lost bytes, or was to have another length, begins at
    /// 0.
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

    /// Whether its state has been read, so that writing it may take a long time.
    var isKept: Bool { new.isKept }

    var acknowledged: Int64 { confirmed.withLock { $0 } }

    /// Gives the file a hidden name, under which it outlives the program.
    func saveState() throws -> ResumableUpload.State {
        let note = Note(
            path: path, length: length, name: try new.keep(), identity: try file.status().identity,
            acknowledged: acknowledged)
        return try JSONEncoder().encode(note)
    }

    /// Records that the bytes before `offset` are in the file; never goes back.
    func acknowledge(upTo offset: Int64) {
        confirmed.withLock { $0 = max($0, offset) }
    }

    /// Returns the permissions that a new file gets in this directory, if the file may have been created without them.
    func missingPermissions(in directory: Directory) throws(Errno) -> mode_t? {
        guard isPrivate, try file.status().permissions == NewFile.privatePermissions else { return nil }
        return try NewFile(in: directory, isPrivate: false).file.status().permissions
    }

    /// Cuts off what lies after the file's end: bytes of an interrupted attempt, or space that was reserved there.
    ///
    /// - Throws: when the file is shorter.
    func cut(to length: Int64) throws {
        let size = try file.status().size
        guard size >= length else { throw FileError.wrongLength(path, expected: length, got: size) }
        // Reserved space does not show in the size.
        if isResumed || size > length { try systemCall { ftruncate(file.descriptor, off_t(length)) } }
    }

    /// Gives the complete file its final name atomically and returns its description.
    func publish(at destination: Destination, _ options: OperationOptions) throws -> FileObject {
        try new.publish(at: destination, options)
    }

    /// Removes the file.
    func remove() throws(Errno) { try new.remove() }
}
