import Glibc

/// The errors of `link` on file systems without hard links; rclone's mounts answer `EIO`.
package let noHardLink: Set<Int32> = [EPERM, ENOTSUP, ENOSYS, EMLINK, EIO]
