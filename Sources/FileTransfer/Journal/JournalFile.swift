import FileProviding
import Foundation
import Glibc

/// One transfer's journal on disk: private (0600), held by one process, written in place so that it stays small.
///
/// It consists of text lines whose first byte is the kind of line. A line keeps the space that it was given, so that it
/// can be rewritten when its content changes; space that is no longer used is given to the next line.
final class JournalFile: Sendable {
    /// A line's place in the file.
    struct Slot: Hashable, Sendable {
        var offset: Int64
        var length: Int
    }

    /// A line as it was read.
    struct Line: Sendable {
        var kind: UInt8
        var text: Data
        var slot: Slot
    }

    private struct State {
        var end: Int64 = 0
        var free: [Slot] = []
        /// When the file was last flushed, or opened.
        var flushed = ContinuousClock.now
        /// Whether the file's name may not have reached the medium yet.
        var isNameNew = true
    }

    let path: LocalPath
    private let file: LocalFileHandle
    private let state: Locked<State>
    private static let newline = UInt8(ascii: "\n")
    private static let unused = UInt8(ascii: "-")
    private static let granule = 512
    /// How long what was written may not have reached the medium while more is written: a flush for each line would
    /// take longer than a small file does.
    private static let flushInterval = Duration.seconds(1)

    /// Opens the file, creates it if it does not exist, and holds it until it is released, explicitly or with the last
    /// reference.
    ///
    /// - Throws: `CocoaError(.fileLocking)` while another process holds it.
    init(at path: LocalPath) throws {
        self.path = path
        file = try Self.hold(path)
        state = Locked(State(end: try file.size()))
    }

    /// Returns every complete line; one that a crash truncated is dropped.
    func lines() throws -> [Line] {
        let (lines, free, end) = try Self.lines(of: file)
        state.withLock { $0.free += free }
        try truncate(to: end)
        return lines
    }

    /// Returns every complete line of a file, the space that is no longer used, and where the last line ends.
    static func lines(of file: LocalFileHandle) throws -> (lines: [Line], free: [Slot], end: Int64) {
        var (lines, free, offset): ([Line], [Slot], Int64) = ([], [], 0)
        let bytes = try file.read(at: 0, count: Int(file.size()))
        for text in bytes.split(separator: newline, omittingEmptySubsequences: false).dropLast() {
            let slot = Slot(offset: offset, length: text.count + 1)
            offset += Int64(slot.length)
            guard let kind = text.first else { continue }
            if kind == unused {
                free.append(slot)
            } else {
                lines.append(Line(kind: kind, text: Data(text.dropFirst()), slot: slot))
            }
        }
        return (lines, free, offset)
    }

    /// Writes a line that never changes, using no more space than it needs.
    func append(_ kind: UInt8, _ text: some Collection<UInt8>) throws {
        let line = [kind] + text + [Self.newline]
        let offset = state.withLock { state in
            defer { state.end += Int64(line.count) }
            return state.end
        }
        try line.withUnsafeBytes { try file.write($0, at: offset) }
        try flushIfDue()
    }

    /// Writes a line that may change later.
    ///
    /// - Parameter slot: its previous place; a text that no longer fits gets another place.
    func put(_ kind: UInt8, _ text: Data, in slot: Slot?) throws -> Slot {
        if let slot, text.count + 2 <= slot.length {
            try write(kind, text, in: slot)
            return slot
        }
        let fresh = state.withLock { state in
            if let index = state.free.lastIndex(where: { text.count + 2 <= $0.length }) {
                return state.free.remove(at: index)
            }
            let length = (text.count + 2 + Self.granule - 1) / Self.granule * Self.granule
            defer { state.end += Int64(length) }
            return Slot(offset: state.end, length: length)
        }
        try write(kind, text, in: fresh)
        if let slot { try clear(slot) }
        return fresh
    }

    /// Removes a line.
    func clear(_ slot: Slot) throws {
        try file.write(Data([Self.unused]), at: slot.offset)
        guard slot.length >= Self.granule else { return }
        state.withLock { $0.free.append(slot) }
    }

    /// Flushes everything to the medium, and the name under which it is found.
    func flush() throws {
        let isNameNew = state.withLock { state in
            state.flushed = .now
            return state.isNameNew
        }
        guard fsync(file.descriptor) == 0 else { throw posixError(path, errno, writing: true) }
        if isNameNew { flushName() }
        state.withLock { $0.isNameNew = false }
    }

    /// Flushes the folder, where that is possible.
    private func flushName() {
        guard let cut = path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return }
        let folder = LocalPath(bytes: path.bytes[...cut])
        let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func flushIfDue() throws {
        let isDue = state.withLock { state in
            guard ContinuousClock.now - state.flushed >= Self.flushInterval else { return false }
            state.flushed = .now
            return true
        }
        if isDue { try flush() }
    }

    /// Releases the file for others, even if it is still referenced here.
    func release() { flock(file.descriptor, LOCK_UN) }

    /// Removes the file. A process that opened it in the meantime finds it gone and starts over.
    func remove() throws { try PrivateFile.remove(path) }

    private func write(_ kind: UInt8, _ text: Data, in slot: Slot) throws {
        var line = Data([kind])
        line.append(text)
        line.append(Data(repeating: UInt8(ascii: " "), count: slot.length - line.count - 1))
        line.append(Self.newline)
        try file.write(line, at: slot.offset)
        try flushIfDue()
    }

    private func truncate(to length: Int64) throws {
        guard ftruncate(file.descriptor, off_t(length)) == 0 else { throw posixError(path, errno, writing: true) }
        state.withLock { $0.end = length }
    }

    /// Returns whether a process has the file open.
    static func isHeld(_ path: LocalPath) -> Bool {
        guard let file = try? LocalFileHandle(reading: path) else { return false }
        return flock(file.descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// How often a held file is tried again, 10 ms apart: whoever only asks whether it is held has it for a moment.
    private static let attempts = 5

    private static func hold(_ path: LocalPath) throws -> LocalFileHandle {
        var left = attempts
        while true {
            let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
            guard descriptor >= 0 else { throw posixError(path, errno, writing: true) }
            let file = LocalFileHandle(owning: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw posixError(path, errno, writing: true) }
                left -= 1
                if left > 0 {
                    usleep(10_000)
                    continue
                }
                throw cocoaError(path, code: .fileLocking, reason: "the same transfer is running already")
            }
            // The process that held it may have removed it between opening and locking.
            var mine = stat()
            var present = stat()
            guard fstat(descriptor, &mine) == 0 else { throw posixError(path, errno, writing: true) }
            if path.withCString({ stat($0, &present) }) == 0, mine.st_ino == present.st_ino,
                mine.st_dev == present.st_dev
            {
                return file
            }
        }
    }
}
