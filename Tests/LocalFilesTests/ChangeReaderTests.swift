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

    @Test("a new directory is watched whatever becomes of the names above it before it is looked for")
    func renamedAbove() throws {
        let scratch = try Scratch()
        try scratch.makeDirectory("a/b")
        var reader = try ChangeReader("/", recursive: true, in: LocalRoot(LocalPath(scratch.at(""))))
        try scratch.makeDirectory("a/b/new/inner")
        #expect(rename(scratch.at("a/b"), scratch.at("a/c")) == 0)
        #expect(rename(scratch.at("a"), scratch.at("x")) == 0)
        let changes = try reader.read(reader.inotify.read())
        #expect(changes.contains(.created("a/b/new")) && changes.contains(.created("x/c/new/inner")))
        try scratch.put("text", at: "x/c/new/inner/file")
        #expect(try reader.read(reader.inotify.read()).contains(.created("x/c/new/inner/file")))
        #expect(reader.settle().isEmpty)
    }
}
