import FileProviding

extension ETag {
    /// The modification time that some servers make a file's tag of, where they tell seconds otherwise: Apache the size and the
    /// microseconds, Go's webdav package the nanoseconds and the size, in hexadecimal. It tells an edit from an upload in the
    /// same second.
    ///
    /// - Parameters:
    ///   - size: the file's size as it is told.
    ///   - told: its time as it is told.
    /// - Returns: `nil` for a tag that holds something else than this size and this second.
    package func time(ofSize size: Int64, told: FileTime) -> FileTime? {
        let text = opaque.dropFirst().dropLast()
        let digits = String(size, radix: 16)
        let fine: Int64
        if text.hasPrefix(digits + "-"), let microseconds = Int64(text.dropFirst(digits.count + 1), radix: 16) {
            let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
            guard !overflow else { return nil }
            fine = product
        } else if text.hasSuffix(digits), let nanoseconds = Int64(text.dropLast(digits.count), radix: 16) {
            fine = nanoseconds
        } else {
            return nil
        }
        let time = FileTime(nanoseconds: fine)
        return time.seconds == told.seconds ? time : nil
    }
}
