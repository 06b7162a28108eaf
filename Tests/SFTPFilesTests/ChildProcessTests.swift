import FileProviding
import Foundation
import Glibc
import Testing

@testable import SFTPFiles

/// The `ssh` program as this process starts it.
@Suite struct ChildProcessTests {
    @Test("a program has none of this process's open files")
    func openFiles() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let child = try ChildProcess(
            LocalPath("/bin/sh"), ["-c", "test -e /proc/$$/fd/2 -a ! -e /proc/$$/fd/\(ends[0])"])
        #expect(child.exitStatus() == 0)
    }

    @Test("a program that cannot be started is an error, and nobody gets a signal for it")
    func missing() {
        // A signal would end this program.
        #expect(throws: CocoaError.self) { try ChildProcess(LocalPath("/nonexistent/ssh"), []) }
    }
}
