import Glibc

/// A system call's failure, before the item that it is about is known.
struct Errno: Error {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    /// The error of this thread's last failed call.
    static var last: Errno { Errno(errno) }
}

/// Makes a system call, and repeats it when a signal interrupted it.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw Errno.last }
    }
}
