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
        let text = opaque.utf8.dropFirst().dropLast()
        let digits = String(size, radix: 16).utf8
        let fine: Int64
        if text.starts(with: digits), text.dropFirst(digits.count).first == UInt8(ascii: "-"),
            let microseconds = number(text.dropFirst(digits.count + 1))
        {
            let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
            guard !overflow else { return nil }
            fine = product
        } else if text.suffix(digits.count).elementsEqual(digits), let nanoseconds = number(text.dropLast(digits.count))
        {
            fine = nanoseconds
        } else {
            return nil
        }
        let time = FileTime(nanoseconds: fine)
        return time.seconds == told.seconds ? time : nil
    }

    private func number(_ digits: Substring.UTF8View) -> Int64? { Int64(Substring(digits), radix: 16) }
}
