import FileProviding
import Foundation

/// The attributes of one item.
enum AttributeCases {
    static let all = kinds + stability + setting

    private static let kinds = [
        ContractCase(.attributes, "a file tells its name, path, type and size") { trial in
            try await trial.arrange(file: trial.path("d/file.txt"), sample(12_345))
            let file = try await trial.provider.attributesOfItem(path: trial.path("d/file.txt"))
            try expectEqual(file.name, "file.txt", "name")
            try expectEqual(file.path, trial.path("d/file.txt"), "path")
            try expectEqual(file.type, .regular, "type")
            try expectEqual(file.size, 12_345, "size")
        },
        ContractCase(.attributes, "an empty file has size zero") { trial in
            try await trial.arrange(file: trial.path("empty"), Data())
            try expectEqual(try await trial.provider.attributesOfItem(path: trial.path("empty")).size, 0, "size")
        },
        ContractCase(.attributes, "a directory is one, under its own name") { trial in
            try await trial.arrange(directory: trial.path("d/e"))
            let directory = try await trial.provider.attributesOfItem(path: trial.path("d/e"))
            try expect(
                directory.isDirectory && !directory.isRegularFile && !directory.isSymLink, "type of \(directory)")
            try expectEqual(directory.name, "e", "name")
        },
        ContractCase(.attributes, "the root is a directory without a name") { trial in
            let root = try await trial.provider.attributesOfItem(path: .root)
            try expect(root.isDirectory, "the root is a \(root.type)")
            try expectEqual(root.path, .root, "path")
            try expectEqual(root.name, "", "name")
        },
        ContractCase(.attributes, "a missing item is no such file, in a directory that exists or not") { trial in
            for path in ["missing", "missing/too", "missing/as/well"] {
                try await trial.expectMissing(trial.path(path))
            }
            try expect(try await !trial.provider.itemExists(path: trial.path("missing")), "it exists")
        },
        ContractCase(.attributes, "an item below a file is not there") { trial in
            try await trial.arrange(file: trial.path("file"))
            try await expectError(.noSuchPlace) {
                try await trial.provider.attributesOfItem(path: trial.path("file/below"))
            }
            try expect(try await !trial.provider.itemExists(path: trial.path("file/below")), "it exists")
        },
        ContractCase(.attributes, "a new file's modification time is now, within the precision that is told") { trial in
            let precision = try await trial.provider.characteristics(path: trial.directory).timePrecision
            let before = FileTime(Date())
            try await trial.arrange(file: trial.path("new"))
            let file = try await trial.provider.attributesOfItem(path: trial.path("new"))
            let time = try expectValue(file.modificationTime, "the modification time")
            let slack = max(precision, 50_000_000)
            try expect(
                time.nanoseconds >= before.nanoseconds - slack
                    && time.nanoseconds <= FileTime(Date()).nanoseconds + slack,
                "\(time.date) is not now (\(before.date))")
        },
    ]

    private static let stability = [
        ContractCase(.attributes, "tag, identifier and time stay while nothing changes") { trial in
            try await trial.arrange(file: trial.path("file"))
            try await trial.arrange(directory: trial.path("directory"))
            for path in [trial.path("file"), trial.path("directory")] {
                let first = try await trial.provider.attributesOfItem(path: path)
                _ = try await trial.provider.contentsOfDirectory(path: trial.directory)
                try expectSame(try await trial.provider.attributesOfItem(path: path), first)
            }
        },
        ContractCase(.attributes, "another write is another version") { trial in
            let path = trial.path("file")
            try await trial.arrange(file: path, Data("aaaa".utf8))
            let first = try await trial.provider.attributesOfItem(path: path)
            let size = trial.expectations.versionsDistinguishEveryWrite ? 4 : 5
            try await trial.arrange(file: path, Data(repeating: 0x62, count: size))
            let second = try await trial.provider.attributesOfItem(path: path)
            try expect(!first.version.matches(second), "both have \(first.version)")
        },
        ContractCase(.attributes, "an identifier stays when the item is renamed", needs: [.moving]) { trial in
            try await trial.arrange(file: trial.path("before"))
            let before = try await trial.provider.attributesOfItem(path: trial.path("before"))
            try await trial.operations.moveItem(path: trial.path("before"), to: trial.path("after"))
            let after = try await trial.provider.attributesOfItem(path: trial.path("after"))
            try expectEqual(after.fileID, before.fileID, "identifier")
            try expectEqual(after.size, before.size, "size")
        },
        ContractCase(.attributes, "attributes are the present ones after the file is replaced", needs: [.writing]) {
            trial in
            try await trial.write(trial.path("file"), sample(10))
            try await trial.write(trial.path("file"), sample(2_000), overwrite: true)
            try expectEqual(try await trial.provider.attributesOfItem(path: trial.path("file")).size, 2_000, "size")
        },
        ContractCase(.attributes, "the storage is reachable") { trial in
            try expect(await trial.provider.isReachable(), "it says that it is not")
        },
    ]
}
