import Glibc

/// A system call's failure, before it is known which item it was about.
struct Errno: Error {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    /// What the last call of this thread failed with.
    static var last: Errno { Errno(errno) }
}

/// Makes a system call, again when a signal interrupted it.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw Errno.last }
    }
}
