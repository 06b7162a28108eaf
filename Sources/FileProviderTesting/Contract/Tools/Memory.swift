import FileProviding
import Foundation

/// Checks that `body` needs no more than `limit` bytes of memory in addition to what the process already uses.
///
/// Other work of the process can only add to what is measured, so the best of three attempts counts.
func expectMemory(
    growsAtMost limit: Int, file: StaticString = #fileID, line: UInt = #line, _ body: () async throws -> Void
) async throws {
    var least = Int.max
    for _ in 0..<3 where least > limit {
        try resetPeakMemory()
        let before = try memory("VmRSS:")
        try await body()
        least = min(least, try memory("VmHWM:") - before)
    }
    try expect(least <= limit, "memory grew by \(least >> 20) MB, more than \(limit >> 20)", file: file, line: line)
}

/// Returns a value of `/proc/self/status` (proc(5)) in bytes.
private func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    return try expectValue(kilobytes, "\(name) in /proc/self/status") << 10
}

/// Resets the peak (`VmHWM`) to the currently resident size.
private func resetPeakMemory() throws {
    let file = try expectValue(FileHandle(forWritingAtPath: "/proc/self/clear_refs"), "/proc/self/clear_refs")
    try file.write(contentsOf: Data("5".utf8))
    try file.close()
}
