/// Which of its two paths a server takes first in SYMLINK.
enum LinkOrder: Sendable {
    /// As OpenSSH does, against the draft, and most who follow it.
    case targetFirst
    /// As the draft says (section 6.10).
    case linkFirst
}
