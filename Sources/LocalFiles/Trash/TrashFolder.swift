import FileProviding
import Foundation
import Glibc

/// One trash: a folder of items and a folder of notes about them, under the same names.
struct TrashFolder {
    /// Where the trash is.
    let path: LocalPath
    /// The directory that the paths in the notes are relative to; `nil` for `/`.
    let top: LocalPath?
    let files: Directory
    private let notes: Directory

    /// Opens a trash in an open directory.
    ///
    /// - Parameter creating: whether missing folders are created, accessible to the user alone.
    init(_ trash: Directory, top: LocalPath?, creating: Bool) throws(Errno) {
        let names = (files: ItemName(unchecked: Array("files".utf8)), notes: ItemName(unchecked: Array("info".utf8)))
        if creating {
            try trash.makeDirectoryIfMissing(names.files, permissions: 0o700)
            try trash.makeDirectoryIfMissing(names.notes, permissions: 0o700)
        }
        files = try trash.openDirectory(names.files)
        notes = try trash.openDirectory(names.notes)
        path = try trash.absolutePath()
        self.top = top
    }

    /// Moves an item into the trash and returns the name that it has there.
    ///
    /// - Parameter origin: the item's absolute path.
    func take(_ place: Place, from origin: LocalPath) throws(Errno) -> ItemName {
        let info = TrashInfo(path: noted(origin), deletion: Date())
        for number in 1... {
            let name = Self.name(place.name, number)
            do {
                try write(info, for: name)
            } catch {
                if error.code == EEXIST { continue }
                throw error
            }
            do {
                try place.directory.rename(place.name, to: files, as: name, replacing: false)
                return name
            } catch {
                try? notes.remove(Self.noteName(name))
                // Within one mount too: a folder of an overlay's lower layer, another subvolume.
                if error.code == EXDEV { throw Errno(ENOTSUP) }
                if error.code != EEXIST { throw error }
            }
        }
        throw Errno(EEXIST)
    }

    /// Returns the names of all items that have a note.
    func names() throws(Errno) -> [ItemName] {
        let reader = DirectoryReader(try notes.reopened())
        var names: [ItemName] = []
        while let entry = try reader.next() {
            let bytes = entry.name.bytes
            guard bytes.suffix(TrashInfo.suffix.count).elementsEqual(TrashInfo.suffix),
                bytes.count > TrashInfo.suffix.count
            else { continue }
            names.append(ItemName(unchecked: bytes.dropLast(TrashInfo.suffix.count)))
        }
        return names
    }

    /// Returns the absolute path where an item was, and when it was deleted.
    func origin(of name: ItemName) -> (path: LocalPath, deletion: Date)? {
        guard let file = try? notes.open(Self.noteName(name)), let text = try? file.read(at: 0, count: 64 << 10),
            let info = TrashInfo(text)
        else { return nil }
        return ((top ?? LocalPath("/")).appending(info.path.bytes), info.deletion)
    }

    /// Removes the note of an item that is no longer here.
    func removeNote(of name: ItemName) throws(Errno) { try notes.remove(Self.noteName(name)) }

    private func noted(_ origin: LocalPath) -> ItemPath {
        let above = top.map { $0.bytes == [UInt8(ascii: "/")] ? 1 : $0.bytes.count + 1 } ?? 1
        return ItemPath(unchecked: Array(origin.bytes.dropFirst(above)))
    }

    private func write(_ info: TrashInfo, for name: ItemName) throws(Errno) {
        let note = try notes.create(Self.noteName(name), permissions: 0o600)
        let text = Array(info.text(isAbsolute: top == nil).utf8)
        var failure: Errno?
        text.withUnsafeBytes { bytes in
            do throws(Errno) { try note.writeAll(bytes, at: 0) } catch { failure = error }
        }
        guard let failure else { return }
        try? notes.remove(Self.noteName(name))
        throw failure
    }

    private static func noteName(_ name: ItemName) -> ItemName { ItemName(unchecked: name.bytes + TrashInfo.suffix) }

    /// Returns the item's own name, then `name.2`, `name.3` …, cut to leave room for the note's suffix.
    private static func name(_ name: ItemName, _ number: Int) -> ItemName {
        let cut = Array(name.bytes.prefix(230))
        return ItemName(unchecked: number == 1 ? cut : cut + Array(".\(number)".utf8))
    }
}
