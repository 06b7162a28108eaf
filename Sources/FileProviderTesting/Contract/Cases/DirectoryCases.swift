import FileProviding
import Foundation

/// Creating and removing.
enum DirectoryCases {
    static let all = creating + removing

    private static let creating = [
        ContractCase(.directories, "a directory is created where it is asked for", needs: [.creating]) { trial in
            let folder = try ItemName(validating: "folder")
            let created = try await trial.operations.create(folder: folder, at: trial.directory)
            if let created { try expect(created.isDirectory && created.itemName == folder, "it became \(created)") }
            try expect(
                try await trial.provider.attributesOfItem(path: trial.path("folder")).isDirectory, "no directory")
            try await trial.expectEntries(of: trial.path("folder"), are: [])
        },
        ContractCase(.directories, "creating an existing directory is fine and keeps what is in it", needs: [.creating])
        {
            trial in
            try await trial.arrange(file: trial.path("d/inside"))
            try await trial.operations.createDirectory(path: trial.path("d"))
            try await trial.operations.createDirectory(path: trial.path("d").asDirectory, createsParents: true)
            try await trial.expectEntries(of: trial.path("d"), are: ["inside"])
            try await trial.operations.createDirectory(path: .root)
        },
        ContractCase(.directories, "a file in the way of a directory is an error", needs: [.creating, .reading]) {
            trial in
            try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
            for createsParents in [false, true] {
                try await expectError(.exists) {
                    try await trial.operations.createDirectory(path: trial.path("file"), createsParents: createsParents)
                }
                // The item that was to be created does not exist already, whatever is above it.
                for below in ["file/below", "file/below/further"] {
                    try await expectError(ExpectedError("not \"exists\"") { !$0.isFileExists }) {
                        try await trial.operations.createDirectory(
                            path: trial.path(below), createsParents: createsParents)
                    }
                }
            }
            try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
        },
        ContractCase(.directories, "a missing parent is no such file, and is not created", needs: [.creating]) {
            trial in
            try await expectError(.noSuchFile) {
                try await trial.operations.createDirectory(path: trial.path("missing/d"))
            }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.directories, "nested directories are created one by one or at once", needs: [.creating]) {
            trial in
            for path in ["a", "a/b", "a/b/c"] { try await trial.operations.createDirectory(path: trial.path(path)) }
            try await trial.operations.createDirectory(path: trial.path("x/y/z"), createsParents: true)
            let found = try await trial.provider.recursiveListing(path: trial.directory).collect().map(\.path)
            try expectEqual(
                found.sorted(), ["a", "a/b", "a/b/c", "x", "x/y", "x/y/z"].map(trial.path).sorted(), "directories")
        },
        ContractCase(.directories, "tasks that create the same directories at once all succeed", needs: [.creating]) {
            trial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        try await trial.operations.createDirectory(path: trial.path("same"))
                        try await trial.operations.createDirectory(
                            path: trial.path("deep/\(index % 2)/\(index)"), createsParents: true)
                    }
                }
                try await group.waitForAll()
            }
            try await trial.expectEntries(of: trial.directory, are: ["deep", "same"])
            try await trial.expectEntries(of: trial.path("deep/1"), are: ["1", "3", "5", "7"])
        },
    ]

    private static let removing = [
        ContractCase(.directories, "a file is removed and its neighbours stay", needs: [.removing]) { trial in
            for name in ["a", "b", "ab"] { try await trial.arrange(file: trial.path(name)) }
            try await trial.operations.removeItem(path: trial.path("a"))
            try await trial.expectEntries(of: trial.directory, are: ["ab", "b"])
            try await trial.expectMissing(trial.path("a"))
        },
        ContractCase(
            .directories, "a file's expected version may be removed, another may not",
            needs: [.removing, .writing, .reading]
        ) {
            trial in
            guard trial.expectations.checksExpectedVersions else { return }
            let (path, bytes) = (trial.path("file"), Data("another".utf8))
            func remove(_ version: FileVersion) async throws {
                let context = OperationContext(options: OperationOptions(expecting: version))
                try await trial.operations.perform(.remove(path), in: context)
            }
            try await trial.write(path, Data("first".utf8))
            let first = try await trial.provider.attributesOfItem(path: path).version
            try await trial.write(path, bytes, overwrite: true)
            try await expectError(.changed) { try await remove(first) }
            try await trial.expectFile(path, holds: bytes)
            try await remove(try await trial.provider.attributesOfItem(path: path).version)
            try await trial.expectMissing(path)
        },
        ContractCase(.directories, "an empty directory is removed", needs: [.removing]) { trial in
            for path in [trial.path("d"), trial.path("e").asDirectory] {
                try await trial.arrange(directory: path)
                try await trial.operations.removeItem(path: path)
            }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(
            .directories, "a directory that is to be removed only if it is empty stays with what is in it",
            needs: [.removing, .writing]
        ) { trial in
            func remove(_ name: String) async throws {
                var options = OperationOptions()
                options.onlyIfEmpty = true
                try await trial.operations.perform(
                    .remove(trial.path(name)), in: OperationContext(options: options))
            }
            for path in ["d/a", "d/b/c", "e/plain"] { try await trial.arrange(file: trial.path(path)) }
            do {
                try await trial.write(trial.path("e/\(TemporaryName.random())"), Data("unfinished".utf8))
                try await trial.operations.removeItem(path: trial.path("e/plain"))
            } catch let error as CocoaError where error.code == .fileWriteInvalidFileName {
                // Not everywhere is there room for hidden names.
            }
            for name in ["d", "d/b", "e"] {
                let expected = ExpectedError("\"directory not empty\"") { $0.isNotEmpty || $0.isUnsupported }
                try await expectError(expected) { try await remove(name) }
            }
            try await trial.expectEntries(of: trial.path("d/b"), are: ["c"])
            try await remove("d/a")
            try await trial.expectMissing(trial.path("d/a"))
            try await trial.arrange(directory: trial.path("f"))
            // Some servers hide names, so that nothing tells whether a directory is empty.
            do { try await remove("f") } catch  where error.isUnsupported { return }
            try await trial.expectMissing(trial.path("f"))
        },
        ContractCase(.directories, "a directory is removed with everything below it", needs: [.removing]) { trial in
            for path in ["d/a", "d/e/b", "d/e/f/g/c", "de"] {
                try await trial.arrange(file: trial.path(path))
            }
            try await trial.arrange(directory: trial.path("d/empty"))
            try await trial.operations.removeItem(path: trial.path("d"))
            try await trial.expectEntries(of: trial.directory, are: ["de"])
        },
        ContractCase(.directories, "removing what is not there is no such file", needs: [.removing]) { trial in
            for path in ["missing", "missing/too"] {
                try await expectError(.noSuchFile) { try await trial.operations.removeItem(path: trial.path(path)) }
            }
        },
        ContractCase(.directories, "a directory with many entries is removed", needs: [.removing]) { trial in
            let count = min(trial.expectations.largeDirectory, 1_500)
            try await trial.arrange(directory: trial.path("many"))
            try await trial.arrangeMany(count, in: trial.path("many"))
            try await trial.operations.removeItem(path: trial.path("many"))
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.directories, "the root is never removed", needs: [.removing]) { trial in
            try await trial.arrange(file: trial.path("kept"))
            try await expectError(.any) { try await trial.operations.removeItem(path: .root) }
            try await trial.expectEntries(of: trial.directory, are: ["kept"])
        },
        ContractCase(.directories, "an item that cannot be removed is named in the error", needs: [.removing]) {
            trial in
            for path in ["tree/a", "tree/locked/stays", "tree/z"] { try await trial.arrange(file: trial.path(path)) }
            guard let protect = trial.sandbox.protect else {
                try await trial.operations.removeItem(path: trial.path("tree"))
                return try await trial.expectEntries(of: trial.directory, are: [])
            }
            let release = try await protect(trial.path("tree/locked"))
            let error: any Error
            do {
                error = try await expectError(.any) { try await trial.operations.removeItem(path: trial.path("tree")) }
            } catch {
                try await release()
                throw error
            }
            try expect("\(error.localizedDescription)".contains("tree/locked"), "it names no child: \(error)")
            try await trial.expectEntries(of: trial.path("tree/locked"), are: ["stays"])
            try await release()
            try await trial.operations.removeItem(path: trial.path("tree"))
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(
            .directories, "two tasks that remove the same directory leave nothing of it", needs: [.removing]
        ) {
            trial in
            try await trial.arrange(file: trial.path("d/e/file"))
            let outcomes = await withTaskGroup(of: (any Error)?.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do { try await trial.operations.removeItem(path: trial.path("d")) } catch { return error }
                        return nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for error in outcomes.compactMap({ $0 }) where !outcomes.contains(where: { $0 == nil }) {
                try await expectError(.noSuchFile, "nobody succeeded") { throw error }
            }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
    ]
}
