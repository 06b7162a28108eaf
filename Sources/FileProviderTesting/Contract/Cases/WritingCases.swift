import FileProviding
import Foundation

/// Writing files: complete or not at all, and never replacing something by accident.
enum WritingCases {
    static let all = sizes.flatMap(sizeCases) + sources + places + overwriting + attributes + failures + racing

    private static let chunk = 512 << 10
    private static let sizes = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk + 1]

    private static func sizeCases(_ size: Int) -> [ContractCase] {
        [
            ContractCase(.writing, "writes \(size) bytes of known length", needs: [.writing, .reading]) { trial in
                let data = sample(size)
                let context = OperationContext()
                let file = try await trial.readWrite.write(
                    path: trial.path("file"), from: ByteStream.pieces(data, length: Int64(size)), in: context)
                try expectEqual(file.size, Int64(size), "the size that writing returned")
                try expectEqual(context.progress.current.completed, Int64(size), "progress")
                try await trial.expectFile(trial.path("file"), holds: data)
            },
            ContractCase(.writing, "writes \(size) bytes of unknown length", needs: [.writing, .reading]) { trial in
                let data = sample(size, seed: 2)
                let stream = ByteStream.pieces(data, sizes: [700, 65_536, 1, 300_000])
                let file = try await trial.readWrite.write(path: trial.path("file"), from: stream)
                try expectEqual(file.size, Int64(size), "the size that writing returned")
                try await trial.expectFile(trial.path("file"), holds: data)
            },
        ]
    }

    private static let sources = [
        ContractCase(.writing, "empty chunks in between do not end a file", needs: [.writing, .reading]) { trial in
            let turn = Locked(0)
            let stream = ByteStream(length: 4, isReplayable: false) {
                {
                    turn.withLock { turn in
                        defer { turn += 1 }
                        return [Data(), Data("ab".utf8), Data(), Data(), Data("cd".utf8), nil][min(turn, 5)]
                    }
                }
            }
            try await trial.readWrite.write(path: trial.path("file"), from: stream)
            try await trial.expectFile(trial.path("file"), holds: Data("abcd".utf8))
        },
        ContractCase(.writing, "writes what another file is read as", needs: [.writing, .reading]) { trial in
            let data = sample(1_500_000)
            try await trial.arrange(file: trial.path("source"), data)
            let source = try await trial.readWrite.read(path: trial.path("source"))
            try await trial.readWrite.write(path: trial.path("copy"), from: source.bytes)
            try await trial.expectFile(trial.path("copy"), holds: data)
        },
        ContractCase(.writing, "writes a part of a local file", needs: [.writing, .reading]) { trial in
            let data = sample(900_000)
            try await withScratchFolder { folder in
                let file = try LocalFileHandle(reading: folder.put("source", data))
                let part = ByteStream(ByteStream.LocalFileSlice(file: file, range: 1_000..<800_000))
                try await trial.readWrite.write(path: trial.path("part"), from: part)
            }
            try await trial.expectFile(trial.path("part"), holds: data.subdata(in: 1_000..<800_000))
        },
        ContractCase(.writing, "contents are written at once", needs: [.writing, .reading]) { trial in
            let data = sample(3_000)
            try await trial.readWrite.writeContents(path: trial.path("file"), contents: data)
            try await trial.expectFile(trial.path("file"), holds: data)
            try await expectError(.exists) {
                try await trial.readWrite.writeContents(path: trial.path("file"), contents: Data())
            }
        },
    ]

    private static let places = [
        ContractCase(.writing, "a directory is not written over, with overwrite or without", needs: [.writing]) {
            trial in
            try await trial.arrange(file: trial.path("d/inside"))
            for overwrite in [true, false] {
                try await expectError(.any, "overwrite: \(overwrite)") {
                    try await trial.write(trial.path("d"), Data("x".utf8), overwrite: overwrite)
                }
            }
            try await expectError(.any, "the root") { try await trial.write(.root, Data("x".utf8), overwrite: true) }
            try await trial.expectEntries(of: trial.path("d"), are: ["inside"])
        },
        ContractCase(.writing, "writing over a directory says that it is one", needs: [.writing]) { trial in
            try await trial.arrange(directory: trial.path("d"))
            try await expectError(.isADirectory) {
                try await trial.write(trial.path("d"), Data("x".utf8), overwrite: true)
            }
        },
        ContractCase(.writing, "a path with a trailing slash is not written to", needs: [.writing]) { trial in
            try await expectError(.any) { try await trial.write(trial.path("file").asDirectory, Data("x".utf8)) }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.writing, "an identifier is not taken for a file's name", needs: [.writing]) { trial in
            let name = "id:\(UUID().uuidString)"
            try await expectError(.any) { try await trial.write(ItemPath(validating: name), Data("x".utf8)) }
            try await expectError(.noSuchFile) {
                try await trial.provider.attributesOfItem(path: ItemPath(validating: "/\(name)"))
            }
        },
        ContractCase(.writing, "a missing parent is no such file, and is not created", needs: [.writing]) { trial in
            try await expectError(.noSuchFile) { try await trial.write(trial.path("missing/file"), Data("x".utf8)) }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.writing, "missing parents are created where that is asked", needs: [.writing, .reading]) {
            trial in
            try await trial.readWrite.write(
                path: trial.path("a/b/c/file"), from: ByteStream(sample(100)),
                options: OperationOptions(createsParents: true))
            try await trial.expectFile(trial.path("a/b/c/file"), holds: sample(100))
            try await trial.readWrite.write(
                path: trial.path("a/b/beside"), from: ByteStream(sample(10)),
                options: OperationOptions(createsParents: true))
            try await trial.expectEntries(of: trial.path("a/b"), are: ["beside", "c"])
        },
        ContractCase(.writing, "nothing is written below a file", needs: [.writing, .reading]) { trial in
            try await trial.write(trial.path("file"), Data("kept".utf8))
            for createsParents in [false, true] {
                try await expectError(.any) {
                    try await trial.readWrite.write(
                        path: trial.path("file/below"), from: ByteStream(Data("x".utf8)),
                        options: OperationOptions(createsParents: createsParents))
                }
            }
            try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
        },
    ]

    private static let overwriting = [
        ContractCase(
            .writing, "writing with overwrite replaces a longer and a shorter file", needs: [.writing, .reading]
        ) {
            trial in
            for size in [5_000, 20, 9_000, 0] {
                let data = sample(size, seed: UInt64(size))
                try await trial.write(trial.path("file"), data, overwrite: true)
                try await trial.expectFile(trial.path("file"), holds: data)
            }
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.writing, "writing without overwrite keeps the old bytes", needs: [.writing, .reading]) { trial in
            try await trial.write(trial.path("file"), Data("old".utf8))
            let before = try await trial.provider.attributesOfItem(path: trial.path("file"))
            try await expectError(.exists) { try await trial.write(trial.path("file"), Data("new".utf8)) }
            try await trial.expectFile(trial.path("file"), holds: Data("old".utf8))
            try expectSame(
                try await trial.provider.attributesOfItem(path: trial.path("file")), before)
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(
            .writing, "a file's expected version may be replaced, another may not", needs: [.writing, .reading]
        ) {
            trial in
            let (path, files) = (trial.path("file"), try trial.readWrite)
            try await trial.write(path, Data("first".utf8))
            let first = try await trial.provider.attributesOfItem(path: path).version
            let expecting = OperationOptions(overwrite: true, expecting: first)
            try await files.write(path: path, from: ByteStream(Data("second".utf8)), options: expecting)
            try await trial.expectFile(path, holds: Data("second".utf8))
            guard trial.expectations.checksExpectedVersions else { return }
            let second = try await trial.provider.attributesOfItem(path: path)
            try await expectError(.changed) {
                try await files.write(path: path, from: ByteStream(Data("third".utf8)), options: expecting)
            }
            try await trial.expectFile(path, holds: Data("second".utf8))
            try expectSame(try await trial.provider.attributesOfItem(path: path), second)

            try await trial.arrange(removalOf: path)
            let lost = ExpectedError("has changed, or no such file") { $0.isItemChanged || $0.isNoSuchFile }
            try await expectError(lost) {
                try await files.write(
                    path: path, from: ByteStream(Data("third".utf8)),
                    options: OperationOptions(overwrite: true, expecting: second.version))
            }
            try await trial.expectMissing(path)
        },
        ContractCase(
            .writing, "what is written during the replacement of an expected version is not replaced",
            needs: [.writing, .reading]
        ) {
            trial in
            guard trial.expectations.checksExpectedVersions else { return }
            let (path, files, theirs) = (trial.path("file"), try trial.readWrite, Data("theirs".utf8))
            try await trial.write(path, Data("first".utf8))
            let first = try await trial.provider.attributesOfItem(path: path).version
            let source = stream { try await trial.write(path, theirs, overwrite: true) }
            try await expectError(.changed) {
                try await files.write(
                    path: path, from: source, options: OperationOptions(overwrite: true, expecting: first))
            }
            try await trial.expectFile(path, holds: theirs)
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(
            .writing, "what is removed during the replacement of an expected version does not come back",
            needs: [.writing, .reading]
        ) {
            trial in
            let (path, files) = (trial.path("file"), try trial.readWrite)
            guard trial.expectations.checksExpectedVersions else { return }
            try await trial.write(path, Data("first".utf8))
            let first = try await trial.provider.attributesOfItem(path: path).version
            let source = stream { try await trial.arrange(removalOf: path) }
            let lost = ExpectedError("has changed, or no such file") { $0.isItemChanged || $0.isNoSuchFile }
            try await expectError(lost) {
                try await files.write(
                    path: path, from: source, options: OperationOptions(overwrite: true, expecting: first))
            }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
    ]

    /// Two megabytes that can be read once; between the two, work is done.
    private static func stream(_ work: @escaping @Sendable () async throws -> Void) -> ByteStream {
        let parts = [sample(1 << 20, seed: 1), sample(1 << 20, seed: 2)]
        return ByteStream(length: 2 << 20, isReplayable: false) {
            let next = Locked(0)
            return {
                let index = next.withLock { index in
                    defer { index += 1 }
                    return index
                }
                if index == 1 { try await work() }
                return index < parts.count ? parts[index] : nil
            }
        }
    }
}
