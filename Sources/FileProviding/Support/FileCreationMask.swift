import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What is taken from the permissions of everything new (umask(2)).
package enum FileCreationMask {
    /// The process's own mask, as it was when it was first asked for.
    package static let current: UInt16 = listed ?? swapped

    /// As the kernel lists it, which changes nothing (Linux 4.7).
    private static var listed: UInt16? {
        guard let status = try? LocalFileHandle(reading: LocalPath("/proc/self/status")).read(at: 0, count: 4096) else {
            return nil
        }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line?.split(separator: "\t").last.flatMap { UInt16($0, radix: 8) }
    }

    /// By setting another for a moment: whatever is made meanwhile is its owner's alone.
    private static var swapped: UInt16 {
        let mask = umask(0o077)
        umask(mask)
        return UInt16(mask)
    }
}
