import FileProviding

extension FileTime {
    /// Returns the time so many seconds later.
    func later(bySeconds seconds: Int64) -> FileTime {
        FileTime(seconds: self.seconds + seconds, nanoseconds: subsecond)
    }
}
