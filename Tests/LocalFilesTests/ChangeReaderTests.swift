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
        let changes = try lose(from: &reader)
        #expect(changes == [.rescan("/")])
        try scratch.put("text", at: "old/new/file")
        #expect(try reader.read(reader.inotify.read()).contains(.created("old/new/file")))
    }

    @Test(
        "when the kernel lost that the watched directory went, or another took its place, it is over",
        arguments: [true, false])
    func overflowAboutTheTop(recursive: Bool) throws {
        for isReplaced in [true, false] {
            let scratch = try Scratch()
            try scratch.makeDirectory("folder")
            let root = try LocalRoot(LocalPath(scratch.at("")))
            var reader = try ChangeReader("folder", recursive: recursive, in: root)
            let before = try lose(from: &reader)
            #expect(before == [.rescan("folder")] && !reader.isOver)
            #expect(rename(scratch.at("folder"), scratch.folder + "/gone") == 0)
            if isReplaced { try scratch.makeDirectory("folder") }
            let behind = try lose(from: &reader)
            #expect(behind == [.removed("folder")] && reader.isOver)
        }
    }

    @Test("when the kernel lost that a directory left, nothing more is told of it")
    func overflowAboutADirectoryThatLeft() throws {
        let scratch = try Scratch()
        try scratch.makeDirectory("left/inner")
        var reader = try ChangeReader("/", recursive: true, in: LocalRoot(LocalPath(scratch.at(""))))
        #expect(rename(scratch.at("left"), scratch.folder + "/gone") == 0)
        let changes = try lose(from: &reader)
        #expect(changes == [.rescan("/")])
        for directory in ["/gone", "/gone/inner"] {
            #expect(mkdir(scratch.folder + directory + "/new", 0o700) == 0)
        }
        #expect(mkdir(scratch.at("end"), 0o700) == 0)
        #expect(try reader.read(reader.inotify.read()) == [.created("end")])
    }

    /// Has the kernel lose what it has to say.
    private func lose(from reader: inout ChangeReader) throws -> [FileChange] {
        _ = reader.inotify.read()
        return try reader.read([Inotify.Event(watch: -1, mask: UInt32(IN_Q_OVERFLOW), cookie: 0, name: [])])
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
