import FileProviding
import Foundation
import Glibc

/// How far a database had come when it was last flushed, in a small file next to it. A database that is not as far has
/// been put back by someone: it has forgotten commands that had been accepted.
///
/// After a loss of power, the mark may be behind the database, but never ahead of it.
final class FlushMark: Sendable {
    private struct State {
        var file: LocalFileHandle?
        var anchor: SyncAnchor?
    }

    private let path: LocalPath
    private let state = Locked(State())

    init(of database: LocalPath) { path = LocalPath(bytes: database.bytes + Array(".flushed".utf8)) }

    /// Returns the point in the database's history; `nil` if it has never been flushed.
    func read() throws -> SyncAnchor? {
        let words = try PrivateFile.read(path, limit: 256)?.split(separator: UInt8(ascii: " "))
        let numbers = words?.compactMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? []
        return numbers.count == 2 ? SyncAnchor(generation: numbers[0], count: numbers[1]) : nil
    }

    /// Replaces the mark in place, which needs no room on a full disk; an earlier point of the same history does not.
    func set(_ anchor: SyncAnchor) throws {
        try state.withLock { state in
            if let last = state.anchor, last.generation == anchor.generation, last.count >= anchor.count { return }
            let file = try state.file ?? open()
            state.file = file
            // Always of one length: two numbers of at most 20 characters.
            let text = "\(anchor.generation) \(anchor.count) "
            try file.write(Data(text.padding(toLength: 42, withPad: " ", startingAt: 0).utf8), at: 0)
            state.anchor = anchor
        }
    }

    /// Removes the mark, for a database that begins anew.
    func remove() throws { try PrivateFile.remove(path) }

    private func open() throws -> LocalFileHandle {
        let descriptor = path.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(path, errno, writing: true) }
        return LocalFileHandle(owning: descriptor)
    }
}
