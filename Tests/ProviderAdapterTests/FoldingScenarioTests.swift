import CloudCore
import FileProviders
import Foundation
import Testing

/// A server that takes names which differ only in case for one.
@Suite struct FoldingScenarioTests {
    @Test("5: a name changes only in case, on a server that folds case") func onlyCase() async throws {
        let trial = try SyncTrial(FoldingProvider())
        try await trial.write("/readme", "text")
        try await trial.sync()
        let id = try await trial.id("/readme")
        try await trial.move("/readme", to: "/README")
        try await trial.expectConverged()
        #expect(try await trial.walked() == ["/README"])
        #expect(try await trial.core.item(id)?.path == "/README")

        // And by somebody else.
        try await trial.provider.moveItem(path: "/README", to: "/ReadMe")
        try await trial.expectConverged()
        #expect(try await trial.core.item(id)?.path == "/ReadMe")
        #expect(try await trial.text("/readme") == "text")
    }

    @Test("5: files whose names differ only in case, of which the server has room for one")
    func twoCases() async throws {
        let trial = try SyncTrial(FoldingProvider())
        try await trial.write("/notes", "theirs")
        try await trial.put("mine", at: "/Notes")
        try await trial.sync()
        #expect(try await trial.text("/notes") == "theirs")
        try await trial.resolve(.conflict, .keepBoth)
        try await trial.expectConverged()
        for text in ["theirs", "mine"] { #expect(try await trial.places(of: text).count == 1, "\(text)") }

        // Both here: the second has to wait for an answer too, and nothing is written over.
        try await trial.put("lower", at: "/x")
        try await trial.put("upper", at: "/X")
        try await trial.sync()
        let issue = try #require(try await trial.core.issues().first)
        try await trial.core.resolve(issue.id, with: .keepBoth)
        try await trial.expectConverged()
        for text in ["lower", "upper"] { #expect(try await trial.places(of: text).count == 1, "\(text)") }
        #expect(try trial.recovered().isEmpty)
    }

    @Test("5: files whose names are one to a server that looks first and renames then are not sent at once")
    func twoAtOnce() async throws {
        let trial = try SyncTrial(FoldingProvider(looksFirst: true))
        for index in 0..<6 {
            try await trial.put("lower \(index)", at: ItemPath(validating: "/x\(index)"))
            try await trial.put("upper \(index)", at: ItemPath(validating: "/X\(index)"))
        }
        try await trial.sync()
        for issue in try await trial.core.issues() { try await trial.core.resolve(issue.id, with: .keepBoth) }
        try await trial.expectConverged()
        for index in 0..<6 {
            for text in ["lower", "upper"] {
                #expect(try await trial.places(of: "\(text) \(index)").count == 1, "\(text) \(index)")
            }
        }
    }

    @Test("5: directories whose names differ only in case are one, with what is in both")
    func directories() async throws {
        let trial = try SyncTrial(FoldingProvider())
        try await trial.provider.createDirectory(path: "/photos")
        try await trial.write("/photos/theirs", "theirs")
        try await trial.make("/Photos")
        try await trial.put("mine", at: "/Photos/mine")
        try await trial.sync()
        for text in ["theirs", "mine"] { #expect(try await trial.places(of: text).count == 1, "\(text)") }
        #expect(try await trial.core.syncRecords().isEmpty)
        #expect(try await trial.core.issues().isEmpty)
        try await trial.expectConverged()
    }
}
