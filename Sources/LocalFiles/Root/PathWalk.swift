import CPlatform
import FileProviding
import Glibc

/// Resolves a path component by component without ever leaving a directory: the guarantee of `openat2` without
/// `openat2`.
///
/// Each component is opened without following a link, and a link's target is then walked in the same way. The
/// directories passed stay open, so that `..` leads back to where the walk came from, whatever was renamed in the
/// meantime.
struct PathWalk {
    private static let linkLimit = 40

    private var passed: [Directory]
    private var links = 0

    init(from root: Directory) { passed = [root] }

    /// Opens what a path leads to; the last component's link is followed unless `flags` contain `O_NOFOLLOW`.
    consuming func open(_ path: [UInt8], flags: Int32) throws(Errno) -> Int32 {
        var pending = Self.components(path)
        while let component = pending.popLast() {
            if component == [Self.dot] { continue }
            if component == [Self.dot, Self.dot] {
                guard passed.count > 1 else { throw Errno(EXDEV) }
                passed.removeLast()
                continue
            }
            let name = ItemName(unchecked: component)
            let item = try look(at: name)
            let isLast = pending.isEmpty
            if try item.status().isLink, !isLast || flags & O_NOFOLLOW == 0 {
                pending.append(contentsOf: try follow(item))
            } else if isLast {
                return try open(name, flags: flags | O_NOFOLLOW)
            } else {
                guard try item.status().isDirectory else { throw Errno(ENOTDIR) }
                passed.append(item)
            }
        }
        return try systemCall { openat(passed[passed.count - 1].descriptor, ".", flags | O_CLOEXEC) }
    }

    private func look(at name: ItemName) throws(Errno) -> Directory {
        Directory(owning: try open(name, flags: fp_o_path | O_NOFOLLOW))
    }

    private func open(_ name: ItemName, flags: Int32) throws(Errno) -> Int32 {
        let directory = passed[passed.count - 1].descriptor
        return try systemCall { name.withCString { openat(directory, $0, flags | O_CLOEXEC) } }
    }

    /// Returns the components of a link's target, last first.
    private mutating func follow(_ link: Directory) throws(Errno) -> [[UInt8]] {
        links += 1
        guard links <= Self.linkLimit else { throw Errno(ELOOP) }
        let target = try readLink { buffer, size in readlinkat(link.descriptor, "", buffer, size) }.bytes
        if target.first == Self.slash { throw Errno(EXDEV) }
        return Self.components(target)
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    private static func components(_ path: [UInt8]) -> [[UInt8]] {
        path.split(separator: slash).reversed().map(Array.init)
    }
}
