import FileProviding
import Foundation
import Glibc
import Testing

@testable import LocalFiles

/// What goes when a tree has been copied to another file system.
@Suite struct TreeRemovalTests {
    private let scratch: Scratch
    private let directory: Directory

    init() throws {
        scratch = try Scratch()
        directory = try LocalRoot(LocalPath(scratch.at(""))).directory
        try scratch.makeDirectory("tree/inner")
        for name in ["same", "edited", "other"] { try scratch.put("text", at: "tree/inner/\(name)") }
    }

    private func copyAndRemove(meanwhile: () throws -> Void) async throws {
        let (tree, copy) = (try ItemName(validating: "tree"), try ItemName(validating: "copy"))
        let side = TreeCopy.Side(directory: directory, path: .root)
        try await TreeCopy().copy(tree, of: side, to: directory, as: copy, path: "copy")
        try meanwhile()
        try TreeRemoval().remove(tree, in: directory, path: "tree", copiedTo: Place(directory: directory, name: copy))
    }

    @Test func whatWasCopiedGoes() async throws {
        try await copyAndRemove {}
        #expect(try scratch.names() == ["copy"])
        #expect(try scratch.names("copy/inner") == ["edited", "other", "same"])
    }

    @Test func aLinkThatLeadsElsewhereSinceThenStays() async throws {
        for name in ["current", "stable"] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.at("tree/\(name)"), withDestinationPath: "releases/41")
        }
        await #expect(throws: (any Error).self) {
            try await copyAndRemove {
                unlink(scratch.at("tree/current"))
                symlink("releases/42", scratch.at("tree/current"))
            }
        }
        #expect(try scratch.names("tree") == ["current"])
    }

    @Test func whatHasChangedSinceStays() async throws {
        await #expect(throws: (any Error).self) {
            try await copyAndRemove {
                try scratch.put("longer text", at: "tree/inner/edited")
                try scratch.put("new", at: "tree/inner/new")
                try scratch.makeDirectory("tree/later")
            }
        }
        #expect(try scratch.names("tree") == ["inner", "later"])
        #expect(try scratch.names("tree/inner") == ["edited", "new"])
        #expect(scratch.text("copy/inner/edited") == "text")
    }
}
