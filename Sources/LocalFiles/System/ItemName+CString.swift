import FileProviding

extension ItemName {
    /// Calls `body` with the zero-terminated name, for a system call.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result { bytes.withCString(body) }
}

extension [UInt8] {
    /// Calls `body` with the bytes and a terminating zero, for a system call.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
            for index in indices { buffer[index] = CChar(bitPattern: self[index]) }
            buffer[count] = 0
            return body(buffer.baseAddress!)
        }
    }
}
