import CPlatform
import FileProviding
import Glibc

/// Reads the entries of an open directory, without `.` and `..`, in the file system's order. For one reader.
final class DirectoryReader {
    /// A name and what is known about the item without a system call.
    struct Entry {
        let name: ItemName
        /// `DT_REG`, `DT_DIR` …; `DT_UNKNOWN` where the file system does not report it.
        let type: UInt8
    }

    let directory: Directory
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 8)
    private var position = 0
    private var end = 0

    /// - Parameter directory: open for reading, at its beginning, and used by no other reader.
    init(_ directory: Directory) { self.directory = directory }

    deinit { buffer.deallocate() }

    /// Returns the next entry, or `nil` after the last.
    func next() throws(Errno) -> Entry? {
        while true {
            if position == end {
                end = try systemCall { fp_read_entries(directory.descriptor, buffer.baseAddress, buffer.count) }
                position = 0
                if end == 0 { return nil }
            }
            var entry = fp_entry()
            position = fp_entry_at(buffer.baseAddress, position, &entry)
            let name = UnsafeRawBufferPointer(start: entry.name, count: entry.nameLength)
            if Self.isDots(name) { continue }
            return Entry(name: ItemName(unchecked: Array(name)), type: entry.type)
        }
    }

    private static func isDots(_ name: UnsafeRawBufferPointer) -> Bool {
        let dot = UInt8(ascii: ".")
        return name[0] == dot && (name.count == 1 || (name.count == 2 && name[1] == dot))
    }
}

extension Directory {
    /// Returns whether an entry is a directory; makes a system call where `type` does not tell.
    func isDirectory(_ name: ItemName, knownAs type: UInt8) throws(Errno) -> Bool {
        type == UInt8(DT_UNKNOWN) ? try status(of: name).isDirectory : type == UInt8(DT_DIR)
    }
}
