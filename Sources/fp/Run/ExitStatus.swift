/// The exit statuses of `fp`.
enum ExitStatus {
    /// Everything was done.
    static let success: Int32 = 0
    /// Something failed; each item was named, and the rest was done.
    static let failure: Int32 = 1
    /// Nothing was done: the location, the authentication or the connection failed.
    static let noAccess: Int32 = 2
    /// The arguments are invalid (`EX_USAGE`).
    static let usage: Int32 = 64

    /// Returns the status after a signal: 130 for Ctrl-C, 143 for SIGTERM.
    static func stopped(by signal: Int32) -> Int32 { 128 + signal }
}
