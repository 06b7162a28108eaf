/// The order of SYMLINK's two paths that a server expects.
enum LinkOrder: Sendable {
    /// As OpenSSH does, contrary to the draft, and most servers that follow it.
    case targetFirst
    /// As the draft specifies (section 6.10).
    case linkFirst
}
