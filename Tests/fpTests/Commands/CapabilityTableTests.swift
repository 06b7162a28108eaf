import Foundation
import Testing

/// What the README says of the providers is what the code says.
@Suite struct CapabilityTableTests {
    @Test func theREADMEShowsTheTableOfTheCode() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let table = try Workspace().fp("providers", "--markdown").text
        #expect(readme.contains("\n\(table)\n"), "put the output of `fp providers --markdown` into README.md")
    }
}
