import FileProviders
import Foundation
import Testing

@testable import FileTransfer

@Suite("Leftovers") struct LeftoverTests {
    @Test(
        "where nobody may remove anything, what is not there is gone, and what is there is not",
        arguments: [false, true])
    func forbidden(isThere: Bool) async throws {
        let storage = HookedProvider(beforeRemoval: { path in throw cocoaError(path, code: .fileWriteNoPermission) })
        let name = TemporaryName.random()
        if isThere { try await storage.base.writeContents(path: .root.appending(name), contents: Data()) }
        let leftover = Leftover(
            part: JournalPart(target: "f", version: FileVersion()), provider: storage, names: [name])
        #expect((await leftover.remove() != nil) == isThere)
    }
}
