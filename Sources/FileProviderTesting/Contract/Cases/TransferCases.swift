import FileProviding
import Foundation

/// Uploads and downloads of local files.
enum TransferCases {
    static let all = uploads + downloads + resumable

    private static let uploads = [
        ContractCase(.transfer, "an uploaded file has the local file's bytes", needs: [.writing, .reading]) { trial in
            for size in [0, 1, 3_000_000] {
                let data = sample(size, seed: 3)
                try await withScratchFolder { folder in
                    try await trial.operations.copyItem(
                        localFile: folder.put("local", data), to: trial.path("file \(size)"))
                }
                try await trial.expectFile(trial.path("file \(size)"), holds: data)
            }
        },
        ContractCase(.transfer, "an upload without overwrite keeps the old bytes", needs: [.writing, .reading]) {
            trial in
            try await trial.write(trial.path("file"), Data("old".utf8))
            try await withScratchFolder { folder in
                let local = try folder.put("local", Data("new".utf8))
                try await expectError(.exists) {
                    try await trial.operations.copyItem(localFile: local, to: trial.path("file"))
                }
                try await trial.expectFile(trial.path("file"), holds: Data("old".utf8))
                try await trial.operations.copyItem(localFile: local, to: trial.path("file"), overwrite: true)
            }
            try await trial.expectFile(trial.path("file"), holds: Data("new".utf8))
        },
        ContractCase(.transfer, "a local file that cannot be read uploads nothing", needs: [.writing]) { trial in
            try await withScratchFolder { folder in
                try await expectError(.noSuchFile) {
                    try await trial.operations.copyItem(localFile: folder["missing"], to: trial.path("file"))
                }
                try await expectError(.isADirectory) {
                    try await trial.operations.copyItem(localFile: folder.path, to: trial.path("file"))
                }
            }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.transfer, "an upload's progress rises to the file's size", needs: [.writing]) { trial in
            try await withScratchFolder { folder in
                let local = try folder.put("local", sample(2_500_000))
                try await expectProgress(total: 2_500_000) {
                    try await trial.operations.run(.upload(local, to: trial.path("file")), progress: $0)
                }
                try await folder.expectNoOpenFiles()
            }
        },
    ]

    private static let downloads = [
        ContractCase(.transfer, "a downloaded file has the file's bytes", needs: [.reading]) { trial in
            for size in [0, 1, 3_000_000] {
                let data = sample(size, seed: 4)
                try await trial.arrange(file: trial.path("file \(size)"), data)
                try await withScratchFolder { folder in
                    try await trial.operations.copyItem(path: trial.path("file \(size)"), toLocalFile: folder["local"])
                    try expectEqual(try folder.bytes("local"), data, "local bytes")
                    try expectEqual(try folder.names, ["local"], "local files")
                    try await folder.expectNoOpenFiles()
                }
            }
        },
        ContractCase(.transfer, "a download without overwrite keeps the local bytes", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"), Data("new".utf8))
            try await withScratchFolder { folder in
                let local = try folder.put("local", Data("old".utf8))
                try await expectError(.exists) {
                    try await trial.operations.copyItem(path: trial.path("file"), toLocalFile: local)
                }
                try expectEqual(try folder.bytes("local"), Data("old".utf8), "local bytes")
                try await trial.operations.copyItem(path: trial.path("file"), toLocalFile: local, overwrite: true)
                try expectEqual(try folder.bytes("local"), Data("new".utf8), "local bytes")
                try expectEqual(try folder.names, ["local"], "local files")
            }
        },
        ContractCase(.transfer, "a download that fails leaves nothing on the disk", needs: [.reading]) { trial in
            try await trial.arrange(directory: trial.path("d"))
            try await withScratchFolder { folder in
                _ = try folder.put("old", Data("old".utf8))
                for (source, target) in [("missing", "new"), ("missing", "old"), ("d", "new"), ("d", "old")] {
                    try await expectError(.any) {
                        try await trial.operations.copyItem(
                            path: trial.path(source), toLocalFile: folder[target], overwrite: true)
                    }
                }
                try expectEqual(try folder.names, ["old"], "local files")
                try expectEqual(try folder.bytes("old"), Data("old".utf8), "local bytes")
                try await folder.expectNoOpenFiles()
            }
        },
        ContractCase(.transfer, "a download into a missing local folder is an error", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"))
            try await withScratchFolder { folder in
                try await expectError(.noSuchFile) {
                    try await trial.operations.copyItem(path: trial.path("file"), toLocalFile: folder["missing/local"])
                }
                try expectEqual(try folder.names, [], "local files")
            }
        },
        ContractCase(.transfer, "a download's progress rises to the file's size", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"), sample(2_500_000))
            try await withScratchFolder { folder in
                try await expectProgress(total: 2_500_000) {
                    try await trial.operations.run(
                        .download(trial.path("file"), to: folder["local"]), progress: $0)
                }
            }
        },
        ContractCase(.transfer, "a download keeps the modification time", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"))
            let told = try await trial.provider.attributesOfItem(path: trial.path("file")).modificationTime
            let time = try expectValue(told, "the modification time")
            try await withScratchFolder { folder in
                try await trial.operations.copyItem(path: trial.path("file"), toLocalFile: folder["local"])
                let local = try FileManager.default.attributesOfItem(atPath: folder["local"].description)
                let kept = try expectValue(local[.modificationDate] as? Date, "the local time")
                try expect(
                    abs(kept.timeIntervalSince(time.date)) < 0.000_01,
                    "\(time.nanoseconds) became \(FileTime(kept).nanoseconds)")
            }
        },
        ContractCase(.transfer, "a cancelled download leaves nothing and closes its files", needs: [.reading]) {
            trial in
            let path = trial.path("large")
            _ = try await trial.arrangeLarge(path)
            try await withScratchFolder { folder in
                let isUnderWay = Outcome<Void>()
                let progress = OperationProgress { if $0.completed > 0 { isUnderWay.open() } }
                let size = trial.expectations.largeFile
                let task = Task {
                    defer { isUnderWay.open() }
                    try await trial.operations.run(.download(path, to: folder["local"]), progress: progress)
                }
                await isUnderWay.value
                task.cancel()
                // A file that had already arrived may stay, complete; anything less must be gone.
                switch await task.result {
                case .success: try expectEqual(try LocalFileHandle(reading: folder["local"]).size(), size, "size")
                case .failure(let error):
                    try expect(error is CancellationError, "it ended with \(error)")
                    try expectEqual(try folder.names, [], "local files")
                }
                try await folder.expectNoOpenFiles()
            }
        },
        ContractCase(.transfer, "a transfer cancelled before it begins does nothing", needs: [.reading, .writing]) {
            trial in
            try await trial.write(trial.path("file"), sample(1_000))
            try await withScratchFolder { folder in
                let local = try folder.put("local", sample(1_000))
                let operations: [FileOperationType] = [
                    .download(trial.path("file"), to: folder["new"]), .upload(local, to: trial.path("new")),
                ]
                for operation in operations {
                    let goOn = Outcome<Void>()
                    let task = Task {
                        await goOn.value
                        try await trial.operations.run(operation)
                    }
                    task.cancel()
                    goOn.open()
                    try await expectError(.cancelled, "\(operation)") { try await task.value }
                }
                try expectEqual(try folder.names, ["local"], "local files")
                try await trial.expectEntries(of: trial.directory, are: ["file"])
            }
        },
    ]

    /// Checks that progress never goes back and ends at `total`.
    static func expectProgress<Result>(
        total: Int64, line: UInt = #line, _ body: (OperationProgress) async throws -> Result
    ) async throws {
        let states = Locked<[OperationProgress.State]>([])
        let progress = OperationProgress { state in states.withLock { $0.append(state) } }
        _ = try await body(progress)
        let seen = states.withLock { $0 }
        try expect(
            zip(seen, seen.dropFirst()).allSatisfy { $0.completed <= $1.completed }, "it went back: \(seen)", line: line
        )
        try expectEqual(progress.current.completed, total, "units done", line: line)
        try expectEqual(progress.current.total, total, "units altogether", line: line)
        try expect(seen.allSatisfy { $0.completed <= $0.total ?? total }, "it went past the end: \(seen)", line: line)
    }
}
