import Foundation
import Glibc

/// The permissions that new items do not get (umask(2)).
package enum FileCreationMask {
    /// The process's mask, as it was when this was first read.
    package static let current: UInt16 = listed ?? swapped

    /// The mask as the kernel reports it (Linux 4.7 and later), without changing it.
    private static var listed: UInt16? {
        guard let status = try? LocalFileHandle(reading: LocalPath("/proc/self/status")).read(at: 0, count: 4096) else {
            return nil
        }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line?.split(separator: "\t").last.flatMap { UInt16($0, radix: 8) }
    }

    /// The mask, read by setting another one for a moment; items created meanwhile are accessible only to their owner.
    private static var swapped: UInt16 {
        let mask = umask(0o077)
        umask(mask)
        return UInt16(mask)
    }
}
