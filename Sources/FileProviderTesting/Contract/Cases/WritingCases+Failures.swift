import FileProviding
import Foundation

extension WritingCases {
    /// The ways in which a write's source fails, and the expected errors.
    private static let faults: [(name: String, source: @Sendable () -> ByteStream, error: ExpectedError)] = [
        (
            "fails halfway", { .failing(after: sample(1_200_000), length: 2_000_000, with: SourceFailure()) },
            ExpectedError("the source's own error") { $0 is SourceFailure }
        ),
        (
            "fails before its first byte", { .failing(after: Data(), length: 100, with: SourceFailure()) },
            ExpectedError("the source's own error") { $0 is SourceFailure }
        ),
        ("ends early", { .pieces(sample(1_000_000), length: 1_500_000) }, .wrongLength),
        ("ends before its first byte", { .pieces(Data(), length: 1) }, .wrongLength),
        ("goes on too long", { .pieces(sample(1_500_000), length: 1_000_000) }, .wrongLength),
        ("goes on where nothing was announced", { .pieces(sample(10), length: 0) }, .wrongLength),
        (
            "cannot be opened", { ByteStream(length: 5) { throw SourceFailure() } },
            ExpectedError("the source's own error") { $0 is SourceFailure }
        ),
    ]

    static let failures =
        faults.flatMap { fault in
            [
                ContractCase(.writing, "a source that \(fault.name) leaves nothing", needs: [.writing]) { trial in
                    try await expectError(fault.error) {
                        try await trial.readWrite.write(path: trial.path("new"), from: fault.source())
                    }
                    try await trial.expectEntries(of: trial.directory, are: [])
                },
                ContractCase(
                    .writing, "a source that \(fault.name) keeps the old bytes", needs: [.writing, .reading]
                ) { trial in
                    try await trial.write(trial.path("old"), Data("old bytes".utf8))
                    let old = try await trial.provider.attributesOfItem(path: trial.path("old"))
                    try await expectError(fault.error) {
                        try await trial.readWrite.write(
                            path: trial.path("old"), from: fault.source(), options: OperationOptions(overwrite: true))
                    }
                    try await trial.expectFile(trial.path("old"), holds: Data("old bytes".utf8))
                    try await trial.expectEntries(of: trial.directory, are: ["old"])
                    try expectSame(
                        try await trial.provider.attributesOfItem(path: trial.path("old")), old)
                },
            ]
        } + [
            ContractCase(
                .writing, "a cancelled write leaves nothing new and keeps the old bytes", needs: [.writing, .reading]
            ) {
                trial in
                try await trial.write(trial.path("old"), Data("old bytes".utf8))
                for (name, overwrite) in [("new", false), ("old", true)] {
                    let write = await HeldWrite(to: trial.path(name), of: try trial.readWrite, overwrite: overwrite)
                    write.task.cancel()
                    try await expectError(.cancelled) { try await write.finish() }
                }
                try await trial.expectEntries(of: trial.directory, are: ["old"])
                try await trial.expectFile(trial.path("old"), holds: Data("old bytes".utf8))
            },
            ContractCase(.writing, "a task that is cancelled already writes nothing", needs: [.writing]) { trial in
                let goOn = Outcome<Void>()
                let task = Task {
                    await goOn.value
                    return try await trial.write(trial.path("file"), sample(100))
                }
                task.cancel()
                goOn.open()
                try await expectError(.cancelled) { try await task.value }
                try await trial.expectEntries(of: trial.directory, are: [])
            },
            ContractCase(.writing, "a file has its name only with its last byte", needs: [.writing, .reading]) {
                trial in
                try await trial.write(trial.path("old"), Data("old bytes".utf8))
                for (name, overwrite) in [("new", false), ("old", true)] {
                    let write = await HeldWrite(to: trial.path(name), of: try trial.readWrite, overwrite: overwrite)
                    if overwrite {
                        try await trial.expectFile(trial.path(name), holds: Data("old bytes".utf8))
                    } else {
                        try await trial.expectMissing(trial.path(name))
                    }
                    try await write.finish()
                    try await trial.expectFile(trial.path(name), holds: HeldWrite.bytes)
                }
                try await trial.expectEntries(of: trial.directory, are: ["new", "old"])
            },
        ]

    static let racing = [
        ContractCase(
            .writing, "writing without overwrite keeps the first bytes when writers race", needs: [.writing, .reading]
        ) { trial in
            let contents = (0..<6).map { sample(200_000, seed: UInt64($0 + 1)) }
            let (winners, errors) = await race(contents, overwrite: false, in: trial)
            if trial.expectations.decidesRaces {
                try expectEqual(winners.count, 1, "writers that succeeded")
            }
            for error in errors { try await expectError(.exists) { throw error } }
            let left = try await trial.read(trial.path("file"))
            try expect(winners.contains { contents[$0] == left }, "the bytes are nobody's who succeeded")
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(
            .writing, "writers that race with overwrite leave one file whole", needs: [.writing, .reading]
        ) { trial in
            let contents = (0..<6).map { sample(150_000 + $0, seed: UInt64($0 + 1)) }
            try await trial.write(trial.path("file"), Data("old".utf8))
            let (winners, _) = await race(contents, overwrite: true, in: trial)
            try expect(!winners.isEmpty, "nobody succeeded")
            let left = try await trial.read(trial.path("file"))
            try expect(contents.contains(left), "the \(left.count) bytes are nobody's")
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.writing, "many files are written into one directory at once", needs: [.writing, .reading]) {
            trial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<30 {
                    group.addTask {
                        try await trial.write(trial.path("file \(index)"), sample(10_000, seed: UInt64(index + 1)))
                    }
                }
                try await group.waitForAll()
            }
            try await trial.expectEntries(of: trial.directory, are: (0..<30).map { "file \($0)" })
            for index in 0..<30 {
                try await trial.expectFile(
                    trial.path("file \(index)"), holds: sample(10_000, seed: UInt64(index + 1)))
            }
        },
    ]

    /// Writes all contents to one path at once, such that nobody ends before everybody has begun; returns which writers
    /// succeeded, and the others' errors.
    private static func race(
        _ contents: [Data], overwrite: Bool, in trial: ContractTrial
    ) async -> (winners: [Int], errors: [any Error]) {
        let line = StartingLine(writers: contents.indices)
        return await withTaskGroup(of: (Int, (any Error)?)?.self) { group in
            group.addTask {
                await line.openLate()
                return nil
            }
            for (index, data) in contents.enumerated() {
                group.addTask {
                    let source = ByteStream.held(data.prefix(1_000), until: line.gate, then: data.dropFirst(1_000)) {
                        line.arrive(index)
                    }
                    defer { line.arrive(index) }
                    do {
                        try await trial.readWrite.write(
                            path: trial.path("file"), from: source, options: OperationOptions(overwrite: overwrite))
                        return (index, nil)
                    } catch {
                        return (index, error)
                    }
                }
            }
            var (winners, errors): ([Int], [any Error]) = ([], [])
            while winners.count + errors.count < contents.count, let outcome = await group.next() {
                guard let (index, error) = outcome else { continue }
                if let error { errors.append(error) } else { winners.append(index) }
            }
            group.cancelAll()
            return (winners, errors)
        }
    }
}
