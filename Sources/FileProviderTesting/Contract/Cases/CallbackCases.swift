import FileProviding
import Foundation

/// The callback forms: each calls back exactly once, on the context's queue, whatever happens.
enum CallbackCases {
    static let all = queries + changes + ends + delegates

    private static let queries = [
        ContractCase(.callbacks, "attributes come once, or the error") { trial in
            try await trial.arrange(file: trial.path("file"))
            let found: (FileObject?, (any Error)?) = try await trial.answer { done in
                trial.provider.attributesOfItem(path: trial.path("file")) { done(($0, $1)) }
            }
            try expectEqual(found.0?.name, "file", "name")
            try expect(found.1 == nil, "an error too")
            let missing: (FileObject?, (any Error)?) = try await trial.answer { done in
                trial.provider.attributesOfItem(path: trial.path("missing")) { done(($0, $1)) }
            }
            try expect(missing.0 == nil && missing.1?.isNoSuchFile == true, "\(missing)")
        },
        ContractCase(.callbacks, "a directory's contents come once, counted") { trial in
            for index in 0..<7 { try await trial.arrange(file: trial.path("file \(index)")) }
            let progress = Locked<Progress?>(nil)
            let (files, error): ([FileObject], (any Error)?) = try await trial.answer { done in
                let started = trial.provider.contentsOfDirectory(path: trial.directory) { done(($0, $1)) }
                progress.withLock { $0 = started }
                return started
            }
            try expectEqual(files.count, 7, "entries")
            try expect(error == nil, "an error too")
            try expectEqual(progress.withLock { $0 }?.completedUnitCount, 7, "units done")
            try expectEqual(progress.withLock { $0 }?.isFinished, true, "whether the progress is finished")
        },
        ContractCase(.callbacks, "the pages before a failing page come with the error") { trial in
            try await ListingCases.arrangePages(trial)
            let failing = try await trial.failing(afterPages: 1)
            let kept = 1...trial.expectations.entriesBeforeFailure
            let listed: ([FileObject], (any Error)?) = try await trial.answer(of: failing) { done in
                failing.contentsOfDirectory(path: trial.directory) { done(($0, $1)) }
            }
            try expect(kept.contains(listed.0.count), "\(listed.0.count) entries")
            try expect(listed.1 != nil, "no error")
            let found: ([FileObject], (any Error)?) = try await trial.answer(of: failing) { done in
                failing.searchFiles(path: trial.directory, recursive: false, query: .all, foundItemHandler: nil) {
                    done(($0, $1))
                }
            }
            try expect(kept.contains(found.0.count), "\(found.0.count) items")
            try expect(found.1 != nil, "no error")
        },
        ContractCase(.callbacks, "a search tells each item before it answers") { trial in
            for name in ["a.txt", "b.txt", "c.md"] { try await trial.arrange(file: trial.path(name)) }
            let told = Locked<[String]>([])
            let toldBefore = Locked(0)
            let found: ([FileObject], (any Error)?) = try await trial.answer { done in
                trial.provider.searchFiles(
                    path: trial.directory, recursive: true, query: .name.endsWith(".txt"),
                    foundItemHandler: { file in told.withLock { $0.append(file.name) } }
                ) {
                    let count = told.withLock(\.count)
                    toldBefore.withLock { $0 = count }
                    done(($0, $1))
                }
            }
            try expectEqual(found.0.map(\.name).sorted(), ["a.txt", "b.txt"], "items found")
            try expectEqual(told.withLock { $0 }.sorted(), ["a.txt", "b.txt"], "items told")
            try expectEqual(toldBefore.withLock { $0 }, 2, "items told before the answer")
        },
        ContractCase(.callbacks, "the storage's properties and reachability come once") { trial in
            let volume: VolumeObject? = try await trial.answer {
                trial.provider.storageProperties(completionHandler: $0)
            }
            try expectEqual(
                volume == nil, try await trial.provider.storageProperties() == nil, "whether nothing is told")
            let reachable: (Bool, (any Error)?) = try await trial.answer { done in
                trial.provider.isReachable { done(($0, $1)) }
            }
            try expect(reachable.0 && reachable.1 == nil, "\(reachable)")
        },
        ContractCase(.callbacks, "contents come once, whole or in part, or the error", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"), sample(1_000))
            let files = try trial.readWrite
            let whole: (Data?, (any Error)?) = try await trial.answer { done in
                files.contents(path: trial.path("file")) { done(($0, $1)) }
            }
            try expectEqual(whole.0, sample(1_000), "the whole file")
            let part: (Data?, (any Error)?) = try await trial.answer { done in
                files.contents(path: trial.path("file"), offset: 100, length: 50) { done(($0, $1)) }
            }
            try expectEqual(part.0, sample(1_000).subdata(in: 100..<150), "a part")
            let missing: (Data?, (any Error)?) = try await trial.answer { done in
                files.contents(path: trial.path("missing")) { done(($0, $1)) }
            }
            try expect(missing.0 == nil && missing.1?.isNoSuchFile == true, "\(missing)")
        },
    ]

    private static let changes = [
        ContractCase(
            .callbacks, "files are written, copied, moved and removed, each answered once",
            needs: operations + [.copying]
        ) { trial in
            let (files, work) = (try trial.readWrite, try trial.operations)
            try await trial.expectSuccess {
                files.writeContents(path: trial.path("a"), contents: sample(10), completionHandler: $0)
            }
            try await trial.expectFailure(.exists) {
                files.writeContents(path: trial.path("a"), contents: nil, completionHandler: $0)
            }
            try await trial.expectSuccess {
                work.create(folder: ItemName(unchecked: [0x64]), at: trial.directory, completionHandler: $0)
            }
            try await trial.expectSuccess {
                work.copyItem(path: trial.path("a"), to: trial.path("d/b"), completionHandler: $0)
            }
            try await trial.expectFailure(.exists) {
                work.moveItem(path: trial.path("a"), to: trial.path("d/b"), completionHandler: $0)
            }
            try await trial.expectSuccess {
                work.moveItem(path: trial.path("a"), to: trial.path("c"), overwrite: true, completionHandler: $0)
            }
            try await trial.expectSuccess { work.removeItem(path: trial.path("c"), completionHandler: $0) }
            try await trial.expectFailure(.noSuchFile) { work.removeItem(path: trial.path("c"), completionHandler: $0) }
            try await trial.expectEntries(of: trial.directory, are: ["d"])
            try await trial.expectFile(trial.path("d/b"), holds: sample(10))
        },
        ContractCase(.callbacks, "files are up- and downloaded, answered once, counted in bytes", needs: operations) {
            trial in
            let work = try trial.operations
            try await withScratchFolder { folder in
                let local = try folder.put("local", sample(1_000_000))
                let progress = Locked<Progress?>(nil)
                try await trial.expectSuccess { done in
                    let started = work.copyItem(
                        localFile: URL(fileURLWithPath: local.description), to: trial.path("file"),
                        completionHandler: done)
                    progress.withLock { $0 = started }
                    return started
                }
                let counted = try expectValue(progress.withLock { $0 }, "the progress")
                try expectEqual(counted.completedUnitCount, 1_000_000, "bytes done")
                try expectEqual(counted.totalUnitCount, 1_000_000, "bytes altogether")
                try await trial.expectSuccess {
                    work.copyItem(
                        path: trial.path("file"), toLocalURL: URL(fileURLWithPath: folder["new"].description),
                        completionHandler: $0)
                }
                try expectEqual(try folder.bytes("new"), sample(1_000_000), "local bytes")
                try await trial.expectFailure(.exists) {
                    work.copyItem(
                        path: trial.path("file"), toLocalURL: URL(fileURLWithPath: local.description),
                        completionHandler: $0)
                }
                let elsewhere = try expectValue(URL(string: "http://elsewhere.invalid/x"), "a URL")
                try await trial.expectFailure(.any) {
                    work.copyItem(localFile: elsewhere, to: trial.path("x"), completionHandler: $0)
                }
            }
        },
        ContractCase(.callbacks, "a progress says what it is about and when it began", needs: operations) { trial in
            let progress = Locked<Progress?>(nil)
            try await trial.expectSuccess { done in
                let started = try trial.readWrite.writeContents(
                    path: trial.path("file"), contents: sample(100), completionHandler: done)
                progress.withLock { $0 = started }
                return started
            }
            let told = try expectValue(progress.withLock { $0 }, "the progress")
            try expectEqual(
                told.userInfo[.fileProviderOperationTypeKey] as? FileOperationType, .modify(trial.path("file")),
                "operation")
            let began = try expectValue(told.userInfo[.startingTimeKey] as? Date, "the starting time")
            try expect((-0.1...60).contains(Date().timeIntervalSince(began)), "it began at \(began)")
            try expectEqual(told.kind, .file, "the progress's kind")
            try expectEqual(told.isFinished, true, "whether it is finished")
        },
        ContractCase(.callbacks, "links are made and read, answered once", needs: operations + [.symbolicLinks]) {
            trial in
            let links = try trial.provider(as: (any FileProviderSymbolicLink).self)
            try await trial.expectSuccess {
                links.create(symbolicLink: trial.path("link"), withDestinationPath: "target", completionHandler: $0)
            }
            let read: (LinkTarget?, (any Error)?) = try await trial.answer { done in
                links.destination(ofSymbolicLink: trial.path("link")) { done(($0, $1)) }
            }
            try expectEqual(read.0, "target", "target")
        },
        ContractCase(.callbacks, "undoing answers once", needs: operations + [.undoing]) { trial in
            let undoable = try trial.provider(as: (any FileProviderUndoable).self)
            try await undoable.createDirectory(path: trial.path("d"))
            try await trial.expectSuccess { undoable.undo(completionHandler: $0) }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
    ]

    static let operations: [ContractCapability] = [.reading, .writing, .creating, .moving, .removing]
}
