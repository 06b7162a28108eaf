import FileProviding
import Foundation

/// Names and paths: created, listed, read and removed unchanged, or refused; never altered.
enum NameCases {
    static let all = OddNames.all.flatMap(cases) + distinct + paths

    private static func cases(of name: ItemName) -> [ContractCase] {
        [
            ContractCase(
                .names, "a file named \(escaped(name)) is written, listed, read and removed",
                needs: [.writing, .reading, .removing]
            ) { try await file(name, in: $0) },
            ContractCase(
                .names, "a directory named \(escaped(name)) is created, listed, entered and removed",
                needs: [.writing, .reading, .creating, .removing]
            ) { try await directory(name, in: $0) },
            ContractCase(
                .names, "a file is renamed to \(escaped(name)) and brought back", needs: [.writing, .reading, .moving]
            ) { try await rename(name, in: $0) },
        ]
    }

    private static func file(_ name: ItemName, in trial: ContractTrial) async throws {
        let (path, bytes) = (trial.path(name), Data("in \(escaped(name))".utf8))
        if try await isRefused(name, in: trial, { try await trial.write(path, bytes) }) { return }
        let written = try await trial.write(path, bytes)
        try expectEqual(written.itemName, name, "the name that writing returned")
        try expectEqual(try await trial.names(in: trial.directory), [name], "entries")
        let attributes = try await trial.provider.attributesOfItem(path: path)
        try expectEqual(attributes.itemName, name, "the name in the attributes")
        try expectEqual(attributes.path, path, "the path in the attributes")
        try await trial.expectFile(path, holds: bytes)
        try await trial.operations.removeItem(path: path)
        try await trial.expectMissing(path)
        try await trial.expectEntries(of: trial.directory, are: [])
    }

    private static func directory(_ name: ItemName, in trial: ContractTrial) async throws {
        let path = trial.path(name)
        let isUnfit = trial.expectations.refusesDirectoryName(name)
        if try await isRefused(
            name, in: trial, orElse: isUnfit, { try await trial.operations.createDirectory(path: path) })
        {
            return
        }
        try await trial.operations.createDirectory(path: path)
        let child = try path.appending("child")
        try await trial.write(child, Data("child".utf8))
        try expectEqual(try await trial.names(in: trial.directory), [name], "entries")
        try expect(try await trial.provider.attributesOfItem(path: path).isDirectory, "it is no directory")
        let below = try await trial.provider.recursiveListing(path: trial.directory).collect()
        try expectEqual(below.map(\.path).sorted(), [path, child], "what a recursive listing finds")
        try await trial.expectFile(child, holds: Data("child".utf8))
        try await trial.operations.removeItem(path: path)
        try await trial.expectEntries(of: trial.directory, are: [])
    }

    private static func rename(_ name: ItemName, in trial: ContractTrial) async throws {
        let (plain, back, path) = (trial.path("plain"), trial.path("back"), trial.path(name))
        try await trial.arrange(file: plain, Data("renamed".utf8))
        if trial.expectations.refusesName(name) || trial.expectations.refusesDestinationName(name) {
            try await expectError(.any) { try await trial.operations.moveItem(path: plain, to: path) }
            return try await trial.expectEntries(of: trial.directory, are: ["plain"])
        }
        try await trial.operations.moveItem(path: plain, to: path)
        try expectEqual(try await trial.names(in: trial.directory), [name], "entries")
        if trial.expectations.has.contains(.copying), !trial.expectations.refuses.contains(.copying) {
            try await trial.operations.copyItem(path: path, to: back)
            try await trial.expectFile(path, holds: Data("renamed".utf8))
        } else {
            try await trial.operations.moveItem(path: path, to: back)
        }
        try await trial.expectFile(back, holds: Data("renamed".utf8))
    }

    /// Returns whether the storage cannot hold the name; if so, checks that it is refused and that nothing else appears
    /// in its place.
    private static func isRefused<Result>(
        _ name: ItemName, in trial: ContractTrial, orElse isUnfit: Bool = false, _ create: () async throws -> Result
    ) async throws -> Bool {
        guard isUnfit || trial.expectations.refusesName(name) else { return false }
        try await expectError(.any, "a name that the storage cannot hold", create)
        try await trial.expectEntries(of: trial.directory, are: [])
        return true
    }
}
