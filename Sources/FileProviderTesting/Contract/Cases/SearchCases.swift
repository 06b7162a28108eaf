import FileProviding
import Foundation

/// Finding items by their properties.
enum SearchCases {
    static let all = properties.map(propertyCase) + scope

    /// A query and the items that it finds in the tree of ``arrangeTree(_:)``, searched recursively.
    private static let properties: [(name: String, query: @Sendable () throws -> FileQuery, found: [String])] = [
        ("its name", { .name == "big.bin" }, ["big.bin"]),
        ("a part of its name", { .name.contains("note") }, ["d/notes.md", "notes.txt"]),
        (
            "a part of its name without case", { .name.contains("NOTE", .caseInsensitive) },
            ["d/Notebook", "d/notes.md", "notes.txt"]
        ),
        ("its name's end", { .name.endsWith(".txt") }, ["d/e/c.txt", "notes.txt"]),
        ("a pattern", { .name.like("note?.*") || .name.like("b*") }, ["big.bin", "d/notes.md", "notes.txt"]),
        ("its size", { .fileSize > 1_000 }, ["big.bin"]),
        ("a range of sizes", { .fileSize.isBetween(5, and: 100) }, ["d/notes.md", "notes.txt"]),
        ("its kind", { .isDirectory }, ["d", "d/Notebook", "d/e"]),
        ("both of two conditions", { .name.contains("note") && .fileSize < 20 }, ["notes.txt"]),
        ("one of two conditions", { .fileSize > 1_000 || .name == "e" }, ["big.bin", "d/e"]),
        ("the absence of a condition", { !.isDirectory && !.name.contains("note") }, ["big.bin", "d/e/c.txt"]),
        (
            "its modification date", { .modifiedDate > Date(timeIntervalSince1970: 0) && .name == "big.bin" },
            ["big.bin"]
        ),
        ("a modification date that none has", { .modifiedDate > Date(timeIntervalSinceNow: 86_400) }, []),
        ("nothing", { .nothing }, []),
        ("a predicate's text", { try FileQuery(parsing: "name ENDSWITH '.txt' AND fileSize >= 10") }, ["notes.txt"]),
    ]

    private static func propertyCase(
        _ name: String, _ query: @escaping @Sendable () throws -> FileQuery, _ found: [String]
    ) -> ContractCase {
        ContractCase(.search, "an item is found by \(name)") { trial in
            try await arrangeTree(trial)
            let files = try await trial.provider.searchFiles(
                path: trial.directory, recursive: true, query: try query())
            let paths = files.filter { $0.itemName != ContractTrial.placeholder }.map(\.path).sorted()
            guard trial.expectations.listsDetails else {
                // What a listing does not report matches nothing.
                return try expect(Set(paths).isSubset(of: found.map(trial.path)), "found \(paths)")
            }
            try expectEqual(paths, found.map(trial.path).sorted(), "items found")
        }
    }

    private static let scope = [
        ContractCase(.search, "a search that is not recursive stays in its directory") { trial in
            try await arrangeTree(trial)
            let query: FileQuery = .name.contains("note")
            let here = try await trial.provider.searchFiles(path: trial.directory, recursive: false, query: query)
            try expectEqual(here.map(\.path), [trial.path("notes.txt")], "items found")
            let below = try await trial.provider.searchFiles(path: trial.path("d"), recursive: false, query: query)
            try expectEqual(below.map(\.path), [trial.path("d/notes.md")], "items found below")
        },
        ContractCase(.search, "a search begins in its directory") { trial in
            try await arrangeTree(trial)
            let found = try await trial.provider.searchFiles(
                path: trial.path("d"), recursive: true, query: .name.endsWith(".txt"))
            try expectEqual(found.map(\.path), [trial.path("d/e/c.txt")], "items found")
        },
        ContractCase(.search, "TRUEPREDICATE finds what the listings have") { trial in
            try await arrangeTree(trial)
            let query = try FileQuery(parsing: "TRUEPREDICATE")
            for isRecursive in [false, true] {
                let listing =
                    isRecursive
                    ? trial.provider.recursiveListing(path: trial.directory)
                    : trial.provider.listing(path: trial.directory)
                let listed = try await listing.collect().sorted { $0.path < $1.path }
                let found = try await trial.provider.searchFiles(
                    path: trial.directory, recursive: isRecursive, query: query
                ).sorted { $0.path < $1.path }
                try expectEqual(found.count, listed.count, "items found")
                for (a, b) in zip(found, listed) { try expectSame(a, b) }
            }
        },
        ContractCase(.search, "a search in a missing directory is no such file") { trial in
            for isRecursive in [false, true] {
                try await expectError(.noSuchFile) {
                    try await trial.provider.searchFiles(
                        path: trial.path("missing"), recursive: isRecursive, query: .all)
                }
            }
        },
        ContractCase(.search, "a search may be left after its first result") { trial in
            try await arrangeTree(trial)
            var results = trial.provider.search(path: trial.directory, recursive: true, query: .all).entries
                .makeAsyncIterator()
            _ = try expectValue(try await results.next(), "the first result")
            let all = try await trial.provider.searchFiles(path: trial.directory, recursive: true, query: .all)
            try expectEqual(all.filter { $0.itemName != ContractTrial.placeholder }.count, 7)
        },
        ContractCase(.search, "a name's composed and decomposed letters are found apart") { trial in
            let names = [ItemName(unchecked: [0xC3, 0xA9]), ItemName(unchecked: [0x65, 0xCC, 0x81])]
            let held = names.filter { !trial.expectations.refusesName($0) }
            guard trial.expectations.distinguishesNormalization || held.count < 2 else { return }
            for name in held { try await trial.arrange(file: trial.path(name)) }
            for name in held {
                let found = try await trial.provider.searchFiles(
                    path: trial.directory, recursive: false, query: .name == name.text)
                try expectEqual(found.map(\.itemName), [name], "items found")
            }
        },
    ]

    private static func arrangeTree(_ trial: ContractTrial) async throws {
        try await trial.arrange(file: trial.path("notes.txt"), sample(10))
        try await trial.arrange(file: trial.path("big.bin"), sample(5_000))
        try await trial.arrange(file: trial.path("d/notes.md"), sample(100))
        try await trial.arrange(file: trial.path("d/e/c.txt"), sample(1))
        try await trial.arrange(directory: trial.path("d/Notebook"))
    }
}
