import FileProviding
import Foundation
import Glibc
import Testing

@testable import LocalFiles

@Suite struct ChangeReaderTests {
    @Test("when the kernel lost events, everything is to be looked at, and new directories are watched")
    func overflow() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.at("old"), withIntermediateDirectories: false)
        var reader = try ChangeReader("/", recursive: true, in: LocalRoot(LocalPath(scratch.at(""))))
        try FileManager.default.createDirectory(atPath: scratch.at("old/new"), withIntermediateDirectories: false)
        // What the kernel said of it is lost.
        _ = reader.inotify.read()
        let loss = Inotify.Event(watch: -1, mask: UInt32(IN_Q_OVERFLOW), cookie: 0, name: [])
        #expect(try reader.read([loss]) == [.rescan("/")])
        try scratch.put("text", at: "old/new/file")
        #expect(try reader.read(reader.inotify.read()).contains(.created("old/new/file")))
    }
}
