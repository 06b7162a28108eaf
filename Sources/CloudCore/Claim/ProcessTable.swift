import FileProviding

/// The processes of this machine.
enum ProcessTable {
    /// Returns when a process began, in clock ticks since the machine booted (`proc(5)`, field 22 of `stat`); `nil` for
    /// one that does not exist.
    static func startTime(of process: Int32) -> UInt64? {
        let file = try? LocalFileHandle(reading: LocalPath("/proc/\(process)/stat"))
        guard let bytes = try? file?.read(at: 0, count: 4_096) else { return nil }
        // The program's name, in parentheses, may contain anything.
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[(name + 1)...], as: UTF8.self).split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }
}
