import FileProviding
import Foundation
import Glibc

/// A file system of two MiB or some more, mounted for one test, which needs the right to do so.
package final class SmallDisk: Sendable {
    /// Where it is mounted; empty at first.
    package let folder: LocalPath
    private let size: String

    /// Whether tests that need one run: root may mount, and where servers are required, a root that may not is a
    /// failure.
    package static let isExpected = SmallDisk() != nil || TestServer.areRequired && getuid() == 0

    /// Mounts one; `nil` where this process may not.
    package init?(megabytes: Int = 2) {
        size = "size=\(megabytes)m"
        let path = NSTemporaryDirectory() + "fp-test-disk-\(UUID())"
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, size) == 0 else {
            rmdir(path)
            return nil
        }
        folder = LocalPath(path)
    }

    deinit {
        umount2(folder.description, 2)  // MNT_DETACH: whoever still has files open keeps them.
        rmdir(folder.description)
    }

    /// Lets nothing be written any more; nobody may have files open for writing.
    ///
    /// - Returns: whether the kernel did.
    package func makeReadOnly() -> Bool { mountAgain(flags: 1) }  // MS_RDONLY

    /// Lets everything be written again.
    package func makeWritable() -> Bool { mountAgain(flags: 0) }

    private func mountAgain(flags: UInt) -> Bool {
        mount("tmpfs", folder.description, "tmpfs", 32 | flags, size) == 0  // MS_REMOUNT
    }

    private var ballast: URL { URL(filePath: folder.description + "/ballast") }

    /// Takes all the room that there is.
    package func fill() throws {
        let descriptor = open(ballast.path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let chunk = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, chunk, chunk.count) > 0 {}
    }

    /// Gives it back.
    package func empty() throws { try FileManager.default.removeItem(at: ballast) }
}
