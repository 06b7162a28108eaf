import FileProviding
import Foundation

extension NameCases {
    /// Names that must not be mistaken for each other.
    static let distinct = [
        ContractCase(
            .names, "a composed and a decomposed letter are two names, or one is refused", needs: [.writing, .reading]
        ) { trial in
            let (composed, decomposed) = (ItemName(unchecked: [0xC3, 0xA9]), ItemName(unchecked: [0x65, 0xCC, 0x81]))
            let names = [composed, decomposed].filter { !trial.expectations.refusesName($0) }
            guard trial.expectations.distinguishesNormalization || names.count < 2 else {
                try await trial.write(trial.path(composed), Data("first".utf8))
                try await expectError(.exists) { try await trial.write(trial.path(decomposed), Data("second".utf8)) }
                return try await trial.expectFile(trial.path(composed), holds: Data("first".utf8))
            }
            for name in names { try await trial.write(trial.path(name), Data(name.bytes)) }
            try expectEqual(try await trial.names(in: trial.directory), names.sorted(), "entries")
            for name in names { try await trial.expectFile(trial.path(name), holds: Data(name.bytes)) }
        },
        ContractCase(.names, "names that differ in case are two names, or one", needs: [.writing, .reading]) { trial in
            try await trial.write(trial.path("name"), Data("lower".utf8))
            guard trial.expectations.isCaseSensitive else {
                try await expectError(.exists) { try await trial.write(trial.path("NAME"), Data("upper".utf8)) }
                return try await trial.expectEntries(of: trial.directory, are: ["name"])
            }
            try await trial.write(trial.path("NAME"), Data("upper".utf8))
            try await trial.expectEntries(of: trial.directory, are: ["NAME", "name"])
            try await trial.expectFile(trial.path("name"), holds: Data("lower".utf8))
        },
        ContractCase(.names, "a file is renamed in case alone", needs: [.writing, .reading, .moving]) { trial in
            try await trial.arrange(file: trial.path("readme"), Data("r".utf8))
            try await trial.operations.moveItem(path: trial.path("readme"), to: trial.path("README"))
            try await trial.expectEntries(of: trial.directory, are: ["README"])
            try await trial.expectFile(trial.path("README"), holds: Data("r".utf8))
        },
        ContractCase(.names, "a name and the text it decodes to are two names", needs: [.writing, .reading]) { trial in
            for name in ["%41", "A", "%2541"] { try await trial.write(trial.path(name), Data(name.utf8)) }
            try await trial.expectEntries(of: trial.directory, are: ["%2541", "%41", "A"])
            for name in ["%41", "A", "%2541"] { try await trial.expectFile(trial.path(name), holds: Data(name.utf8)) }
        },
        ContractCase(.names, "the longest name is held and a longer one refused", needs: [.writing, .reading]) {
            trial in
            guard let longest = try await trial.provider.characteristics(path: trial.directory).maximumNameLength else {
                return try await trial.expectEntries(of: trial.directory, are: [])
            }
            let name = String(repeating: "l", count: longest)
            try await trial.write(trial.path(name), Data("long".utf8))
            try await trial.expectFile(trial.path(name), holds: Data("long".utf8))
            try await expectError(.any) { try await trial.write(trial.path(name + "l"), Data("longer".utf8)) }
            try await trial.expectEntries(of: trial.directory, are: [name])
        },
        ContractCase(.names, "a name that is foretold to be refused is refused", needs: [.writing]) { trial in
            let odd: [[UInt8]] = [
                Array(".hidden".utf8), Array("two\nlines".utf8), [0x61, 0x01], [0x61, 0xFF], Array("a;b?c#d".utf8),
                Array(repeating: 0x6C, count: 1000),
            ]
            for path in odd.map({ trial.path(ItemName(unchecked: $0)) }) {
                do {
                    try await trial.operations.checkName(ofNew: path, isDirectory: false)
                } catch {
                    try expect(ExpectedError.invalidName.matches(error), "\(path): \(error)")
                    try await expectError(.any) { try await trial.write(path, Data("odd".utf8)) }
                }
            }
            try await trial.expectEntries(of: trial.directory, are: [])
            for isDirectory in [false, true] {
                try await trial.operations.checkName(ofNew: trial.path("plain"), isDirectory: isDirectory)
                try await trial.operations.checkName(ofNew: trial.path("missing/plain"), isDirectory: isDirectory)
            }
        },
    ]

    /// Spellings of paths.
    static let paths = [
        ContractCase(.names, "empty text and a slash are the root") { trial in
            for text in ["", "/", ".", "/./"] {
                let root = try await trial.provider.attributesOfItem(path: ItemPath(validating: text))
                try expect(root.isDirectory && root.path.isRoot, "\"\(text)\" is \(root)")
            }
        },
        ContractCase(.names, "a path that leaves the root, or has an empty part, is refused") { trial in
            for text in ["..", "../x", "a/../../x", "//x", "a//b", "/../x", "a\0b"] {
                try await expectError(.invalidName) {
                    try await trial.provider.attributesOfItem(path: ItemPath(validating: text))
                }
            }
            for text in ["%2e%2e", "a/%2E%2e/../x", "a%2Fb", "%00", "%zz"] {
                try await expectError(.invalidName) {
                    try await trial.provider.attributesOfItem(path: ItemPath(percentEncoded: text))
                }
            }
        },
        ContractCase(.names, "dots in a path are resolved before anything is asked", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("d/f"), Data("dots".utf8))
            let dotted = try ItemPath(validating: "\(trial.directory)/d/./../d/f".replacing("//", with: "/"))
            try expectEqual(try await trial.read(dotted), Data("dots".utf8))
        },
        ContractCase(.names, "a file is not found under a path with a trailing slash", needs: [.reading]) { trial in
            let file = trial.path("file")
            try await trial.arrange(file: file)
            try await trial.expectMissing(file.asDirectory)
            try await expectError(.noSuchPlace) { try await trial.read(file.asDirectory) }
            try expectEqual(try await trial.provider.attributesOfItem(path: file).itemName.text, "file", "name")
        },
        ContractCase(
            .names, "a file is not removed under a path with a trailing slash", needs: [.reading, .removing]
        ) { trial in
            try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
            try await expectError(.noSuchPlace) {
                try await trial.operations.removeItem(path: trial.path("file").asDirectory)
            }
            try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
        },
        ContractCase(.names, "a directory is found with and without a trailing slash") { trial in
            try await trial.arrange(directory: trial.path("d"))
            for path in [trial.path("d"), trial.path("d").asDirectory] {
                try expect(try await trial.provider.attributesOfItem(path: path).isDirectory, "\(path) is no directory")
                let entries = trial.expectations.keepsEmptyDirectories ? [] : [ContractTrial.placeholder.text]
                try await trial.expectEntries(of: path, are: entries)
            }
        },
        ContractCase(.names, "an identifier that nothing has is no such file, or not supported") { trial in
            try await expectError(.noSuchIdentifier) {
                try await trial.provider.attributesOfItem(path: ItemPath(validating: "none:0000"))
            }
        },
        ContractCase(.names, "an item forty directories deep is reached", needs: [.reading, .removing]) { trial in
            let deep = trial.path(Array(repeating: "deep", count: 40).joined(separator: "/"))
            try await trial.arrange(file: deep.appending("bottom"), Data("deep".utf8))
            try expectEqual(try await trial.read(deep.appending("bottom")), Data("deep".utf8))
            let found = try await trial.provider.recursiveListing(path: trial.directory).collect()
            try expectEqual(found.count, 41, "items found")
            try await trial.operations.removeItem(path: trial.path("deep"))
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.names, "a path of two thousand bytes is reached", needs: [.reading]) { trial in
            let name = String(repeating: "p", count: 99)
            let path = trial.path(Array(repeating: name, count: 20).joined(separator: "/"))
            try await trial.arrange(file: path, Data("far".utf8))
            try expectEqual(try await trial.read(path), Data("far".utf8))
        },
    ]
}
