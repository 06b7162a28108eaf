import FileProviding
import Foundation
import Glibc
import Testing

@testable import LocalFiles

/// Bytes between open files.
@Suite struct FileBytesTests {
    /// What a caller records as stored must be found there after a crash.
    @Test func nothingIsToldOfThatTheFileDoesNotHaveYet() throws {
        let (source, destination) = (try LocalFileHandle.temporary(), try LocalFileHandle.temporary())
        // A hole, data, a hole, data, a hole.
        for offset: Int64 in [4 << 20, 12 << 20] { try source.write(Data("data".utf8), at: offset) }
        let length: Int64 = 20 << 20
        try #require(ftruncate(source.descriptor, off_t(length)) == 0)
        var told: Int64 = 0
        let bytes = FileBytes(source: source, destination: destination) { count in
            told += count
            let size = try destination.size()
            #expect(size >= told)
        }
        #expect(try bytes.copy(0..<length, hasHoles: true, to: 0) == length)
        #expect(told == length)
        let (copied, original) = try (destination.read(at: 0, count: 20 << 20), source.read(at: 0, count: 20 << 20))
        #expect(copied == original)
    }
}
