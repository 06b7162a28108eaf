import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// What a person's answer means when things have gone on since the question.
@Suite(.serialized) struct AnswerTests {
    private let server: Server

    init() throws { server = try Server() }

    @Test func `agreeing to remove a changed file removes no directory that is there by then`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.delete("/file")
        try await server.write("/file", "new")
        try await server.core.settle()
        try await server.provider.removeItem(path: "/file")
        try await server.folder("/file")
        try await server.write("/file/theirs")
        try await server.answer(.changedBeforeDeletion, .replace)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/file", "/file/theirs"])
    }

    @Test func `ours takes the place of theirs also where the file had been gone in between`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "mine")
        try await server.provider.removeItem(path: "/file")
        try await server.scanned()
        try await server.write("/file", "theirs")
        try await server.core.settle()
        try await server.answer(.conflict, .replace)
        try await server.expectConverged()
        #expect(try await server.text("/file") == "mine")
    }

    @Test(arguments: [false, true])
    func `a new file that takes the place of another goes on to where it was moved`(hasFileIDs: Bool) async throws {
        let server = try Server(hasFileIDs: hasFileIDs)
        try await server.put("mine", as: "x")
        _ = try await server.accept(.update(server.id("/x"), ItemAttributes(modificationTime: FileTime(seconds: 5))))
        try await server.write("/x", "theirs")
        try await server.core.settle()
        try await server.move("/x", to: "/z")
        try await server.answer(.conflict, .replace)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/z"])
        #expect(try await server.text("/z") == "mine")
    }

    @Test(arguments: [CloudCore.Issue.Answer.keepBoth, .cancel])
    func `attributes for an edit are not given to somebody else's contents`(
        answer: CloudCore.Issue.Answer
    ) async throws {
        try await server.write("/file", "old")
        try await server.sync()
        let time = FileTime(seconds: 5)
        try await server.edit("/file", "mine")
        _ = try await server.accept(.update(server.id("/file"), ItemAttributes(modificationTime: time)))
        try await server.write("/file", "theirs")
        try await server.core.settle()
        try await server.answer(.conflict, answer)
        try await server.expectConverged()
        #expect(try await server.provider.attributesOfItem(path: "/file").modificationTime != time)
        let all = try await server.provider.recursiveListing(path: .root).collect()
        #expect(all.filter { $0.modificationTime == time }.count == (answer == .keepBoth ? 1 : 0))
    }

    @Test func `attributes of a file with an outdated copy are for the version that shows`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.core.settle()
        try await server.write("/file", "newer")
        try await server.scanned()
        let time = FileTime(seconds: 5)
        _ = try await server.accept(.update(server.id("/file"), ItemAttributes(modificationTime: time)))
        try await server.expectConverged()
        #expect(try await server.provider.attributesOfItem(path: "/file").modificationTime == time)
        #expect(try await server.text("/file") == "newer")
        // Neither by that nor by a move has the copy become one of that version.
        try await server.move("/file", to: "/moved")
        try await server.expectConverged()
        #expect(try await server.copied("/moved") == "old")
        _ = try await server.accept(.download(server.id("/moved")))
        try await server.core.settle()
        #expect(try await server.copied("/moved") == "newer")
    }
}
