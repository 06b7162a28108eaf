import FileProviders
import Foundation
import TestSupport
import Testing

@testable import fp

@Suite struct MatchingChangesTests {
    /// The file's folder became a link to itself before the file was looked up.
    @Test func anItemThatCannotBeLookedUpDoesNotEndTheWatch() async throws {
        let work = try Workspace()
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appendingPathComponent("folder").path, withDestinationPath: "folder")
        let location = Location(place: .local(.root), text: Array("w".utf8))
        let endpoint = Endpoint(
            location: location, provider: try LocalFileProvider(root: LocalPath(work.folder.path)), path: .root)
        var changes = try await MatchingChanges(FileQuery(argument: "size > 0"), at: endpoint)
        let lines = try await changes.lines(for: .created(ItemPath(validating: "folder/file")))
        #expect(lines.isEmpty)
    }
}
