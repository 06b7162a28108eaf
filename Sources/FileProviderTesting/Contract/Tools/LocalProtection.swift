import FileProviding
import Foundation

/// Makes the contents of a directory on this machine's disk undeletable, even for root if the file system supports
/// that.
struct LocalProtection: Sendable {
    /// The path of the provider's `directory` on the disk.
    let root: LocalPath
    let directory: ItemPath

    /// - Returns: `nil` if nothing could stop this process: it is root, and the file system has no immutable flag.
    init?(root: LocalPath, directory: ItemPath) {
        self.root = root
        self.directory = directory
        guard geteuid() == 0 else { return }
        guard (try? Self.setImmutable(true, root)) == true, (try? Self.setImmutable(false, root)) == true else {
            return nil
        }
    }

    @Sendable
    func protect(_ path: ItemPath) async throws -> @Sendable () async throws -> Void {
        let relative = try expectValue(path.relative(to: directory), "a path in the sandbox")
        let local = relative.components.reduce(root) { $0.appending($1.bytes) }
        let before = try setMode(0o555, of: local)
        _ = try Self.setImmutable(true, local)
        return {
            _ = try Self.setImmutable(false, local)
            _ = try setMode(before, of: local)
        }
    }

    /// Sets the immutable flag (ioctl_iflags(2)), which applies even to root; returns whether that was possible.
    private static func setImmutable(_ isImmutable: Bool, _ path: LocalPath) throws -> Bool {
        let (readFlags, writeFlags, immutable): (UInt, UInt, CInt) = (0x8008_6601, 0x4008_6602, 0x10)
        let descriptor = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        try expect(descriptor >= 0, "cannot open \(path): errno \(errno)")
        defer { close(descriptor) }
        var flags: CInt = 0
        guard ioctl(descriptor, readFlags, &flags) == 0 else { return false }
        flags = isImmutable ? flags | immutable : flags & ~immutable
        return ioctl(descriptor, writeFlags, &flags) == 0
    }

    private func setMode(_ mode: mode_t, of path: LocalPath) throws -> mode_t {
        var status = stat()
        try expect(path.withCString { stat($0, &status) } == 0, "cannot look at \(path): errno \(errno)")
        try expect(path.withCString { chmod($0, mode) } == 0, "cannot protect \(path): errno \(errno)")
        return status.st_mode & 0o7777
    }
}
