import FileProviding

extension ETag {
    /// Returns the modification time that some servers encode in a file's tag while they report only seconds elsewhere:
    /// Apache encodes the size and the microseconds, Go's webdav package the nanoseconds and the size, in hexadecimal.
    /// It distinguishes an edit from an upload in the same second.
    ///
    /// - Parameters:
    ///   - size: the file's reported size.
    ///   - reported: its reported time.
    /// - Returns: `nil` for a tag that does not encode this size and this second.
    package func time(ofSize size: Int64, reported: FileTime) -> FileTime? {
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
        return time.seconds == reported.seconds ? time : nil
    }

    private func number(_ digits: Substring.UTF8View) -> Int64? { Int64(Substring(digits), radix: 16) }
}
