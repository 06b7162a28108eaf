import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Items that somebody else has moved, while something else has taken their names: what is unsent here goes with them.
@Suite struct FollowedMoveTests {
    enum Successor: CaseIterable { case none, file, emptyFolder, folder }

    @Test(arguments: Successor.allCases, [true, false])
    func `unsent work follows a directory whose name is taken again`(successor: Successor, propagates: Bool)
        async throws
    {
        let server = try Server(propagates: propagates)
        for folder in ["/P", "/Q"] as [ItemPath] { try await server.folder(folder) }
        try await server.write("/P/y", "old")
        try await server.sync()
        try await server.put("doc", as: "doc", in: "/P")
        try await server.edit("/P/y", "edit")

        try await server.provider.moveItem(path: "/P", to: "/Q/PP")
        switch successor {
        case .none: break
        case .file: try await server.write("/P", "another")
        case .emptyFolder: try await server.folder("/P")
        case .folder:
            try await server.folder("/P")
            try await server.write("/P/n", "another")
        }
        try await server.scanned()
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.text("/Q/PP/doc") == "doc")
        #expect(try await server.text("/Q/PP/y") == "edit")
        let added = [Successor.none: 0, .folder: 2][successor] ?? 1
        #expect(try await server.walked().count == 4 + added)
    }

    @Test(arguments: [true, false])
    func `a policy follows an item whose name is taken again`(isDirectory: Bool) async throws {
        let server = try Server()
        try await server.folder("/Q")
        if isDirectory { try await server.folder("/P") } else { try await server.write("/P", "old") }
        try await server.sync()
        let item = try await server.id("/P")
        try await server.core.setAvailableOffline(item, true)
        try await server.core.followPolicies()
        try await server.core.settle()

        try await server.provider.moveItem(path: "/P", to: "/Q/PP")
        if isDirectory { try await server.folder("/P") } else { try await server.write("/P", "another") }
        try await server.scanned()
        try await server.expectConverged()
        #expect(try await server.id("/Q/PP") == item)
        #expect(try await server.core.policies().filter { $0.kind == .availableOffline }.map(\.itemID) == [item])
    }

    /// A directory may be listed under its old path before anything has shown that another has it by now.
    @Test func `directories that have changed places are not taken for each other`() async throws {
        let server = try Server(propagates: false)
        for folder in ["/P", "/Q", "/P/S", "/Q/S"] as [ItemPath] { try await server.folder(folder) }
        for file in ["/P/S/x", "/Q/S/x"] as [ItemPath] { try await server.write(file, file.description) }
        try await server.sync()
        try await server.put("first", as: "n", in: "/P/S")
        try await server.put("second", as: "n", in: "/Q/S")
        // Of what is listed in turns, the root comes first.
        try await server.core.scan(budget: 1)
        for (old, new) in [("/P", "/t"), ("/Q", "/P"), ("/t", "/Q")] as [(ItemPath, ItemPath)] {
            try await server.provider.moveItem(path: old, to: new)
        }
        for _ in 0..<10 { try await server.core.scan(budget: 1) }
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.walked().count == 8)
        #expect(try await server.text("/Q/S/n") == "first")
        #expect(try await server.text("/P/S/n") == "second")
    }

    @Test(arguments: [true, false])
    func `unsent work follows directories that change places`(propagates: Bool) async throws {
        let server = try Server(propagates: propagates)
        for folder in ["/P", "/Q"] as [ItemPath] { try await server.folder(folder) }
        for file in ["/P/x", "/Q/x"] as [ItemPath] { try await server.write(file, file.description) }
        try await server.sync()
        let ids = (try await server.id("/P"), try await server.id("/Q"))
        try await server.put("first", as: "n", in: "/P")
        try await server.put("second", as: "n", in: "/Q")

        for (old, new) in [("/P", "/t"), ("/Q", "/P"), ("/t", "/Q")] as [(ItemPath, ItemPath)] {
            try await server.provider.moveItem(path: old, to: new)
        }
        try await server.scanned()
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.walked() == ["/P", "/P/n", "/P/x", "/Q", "/Q/n", "/Q/x"])
        #expect(try await server.text("/Q/n") == "first")
        #expect(try await server.text("/P/n") == "second")
        #expect(try await server.id("/Q") == ids.0)
        #expect(try await server.id("/P") == ids.1)
    }
}
