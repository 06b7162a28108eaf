import FileProviding
import Foundation

extension CallbackCases {
    static let ends = [
        ContractCase(
            .callbacks, "an operation that is cancelled before its turn answers once and does nothing",
            needs: operations
        ) {
            trial in
            let work = try trial.operations
            let queue = trial.provider.context.operationQueue
            try await trial.arrange(file: trial.path("file"))
            queue.isSuspended = true
            try await trial.expectFailure(.userCancelled) { done in
                let progress = work.removeItem(path: trial.path("file"), completionHandler: done)
                progress.cancel()
                queue.isSuspended = false
                return progress
            }
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.callbacks, "an operation that is cancelled at any moment answers once", needs: operations) {
            trial in
            for index in 0..<20 {
                let path = trial.path("file \(index)")
                let error = try await trial.failure { done in
                    let progress = try trial.readWrite.writeContents(
                        path: path, contents: sample(300_000), completionHandler: done)
                    for _ in 0..<index * 50 { _ = progress.fractionCompleted }
                    progress.cancel()
                    return progress
                }
                if let error {
                    try expect(ExpectedError.userCancelled.matches(error), "it answered \(error)")
                    try await trial.expectMissing(path)
                } else {
                    try await trial.expectFile(path, holds: sample(300_000))
                }
            }
        },
        ContractCase(
            .callbacks, "operations queue up behind the operation queue's limit and all answer", needs: operations
        ) {
            trial in
            let work = try trial.operations
            let counter = OperationCounter()
            trial.provider.context.fileOperationDelegate = counter
            trial.provider.context.operationQueue.maxConcurrentOperationCount = 2
            let answers = Locked<[String]>([])
            let isComplete = Outcome<Void>()
            for index in 0..<12 {
                work.create(folder: try ItemName(validating: "d\(index)"), at: trial.directory) { error in
                    let count = answers.withLock { answers in
                        answers.append(error.map { "\($0)" } ?? "")
                        return answers.count
                    }
                    if count == 12 { isComplete.open() }
                }
            }
            await isComplete.value
            try expectEqual(answers.withLock { $0 }, Array(repeating: "", count: 12), "errors")
            try expect((1...2).contains(counter.most), "\(counter.most) ran at the same time")
            try await trial.expectEntries(of: trial.directory, are: (0..<12).map { "d\($0)" })
        },
        ContractCase(.callbacks, "a provider that is released at once still answers", needs: operations) { trial in
            var provider: (any FileProvider)? = try await trial.anotherProvider(as: (any FileProvider).self)
            let context = try expectValue(provider?.context, "the context")
            let answer = Outcome<(any Error)?>()
            provider?.writeContents(path: trial.path("file"), contents: sample(200_000)) { answer.set($0) }
            provider = nil
            let error = await answer.value
            try expect(error == nil, "it answered \(error.map(shown) ?? "")")
            await flush(context.dispatchQueue)
            try await trial.expectFile(trial.path("file"), holds: sample(200_000))
        },
        ContractCase(.callbacks, "an unreachable server answers once, with an error of transport") { trial in
            guard let unreachable = trial.expectations.unreachable else {
                return try expect(
                    !(trial.provider is any FileProviderBasicRemote),
                    "a remote provider needs an unreachable one to test")
            }
            let provider = try await unreachable()
            let told: (FileObject?, (any Error)?) = try await trial.answer(of: provider) { done in
                provider.attributesOfItem(path: "x") { done(($0, $1)) }
            }
            try expect(told.0 == nil && told.1 is URLError, "it answered \(told)")
            let reachable: (Bool, (any Error)?) = try await trial.answer(of: provider) { done in
                provider.isReachable { done(($0, $1)) }
            }
            try expect(!reachable.0, "it says that it is reachable")
            guard trial.expectations.has.isSuperset(of: [.writing, .removing]) else { return }
            let transport = ExpectedError("URLError") { $0 is URLError }
            try await trial.expectFailure(transport, of: provider) {
                provider.writeContents(path: "x", contents: sample(10), completionHandler: $0)
            }
            try await trial.expectFailure(transport, of: provider) {
                provider.removeItem(path: "x", completionHandler: $0)
            }
        },
        ContractCase(
            .callbacks, "a handler may use the provider, which holds no lock while it calls", needs: operations
        ) {
            trial in
            let (files, work) = (try trial.readWrite, try trial.operations)
            let last = Outcome<[FileObject]>()
            files.writeContents(path: trial.path("a"), contents: sample(10)) { _ in
                _ = trial.provider.context.delegate
                trial.provider.context.delegate = nil
                work.moveItem(path: trial.path("a"), to: trial.path("b")) { _ in
                    trial.provider.contentsOfDirectory(path: trial.directory) { files, _ in last.set(files) }
                }
            }
            try expectEqual(await last.value.map(\.name), ["b"], "entries")
        },
        ContractCase(.callbacks, "handlers are called on the context's queue", needs: operations) { trial in
            let key = DispatchSpecificKey<Bool>()
            let queue = DispatchQueue(label: "contract")
            queue.setSpecific(key: key, value: true)
            trial.provider.context.dispatchQueue = queue
            let onQueue = Locked<[Bool]>([])
            try await trial.expectSuccess { done in
                try trial.operations.create(folder: ItemName(validating: "d"), at: trial.directory) { error in
                    onQueue.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
                    done(error)
                }
            }
            let _: FileObject? = try await trial.answer { done in
                trial.provider.attributesOfItem(path: trial.directory) { file, _ in
                    onQueue.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
                    done(file)
                }
            }
            try expectEqual(onQueue.withLock { $0 }, [true, true], "whether called on the queue")
        },
    ]

    static let delegates = [
        ContractCase(
            .callbacks, "a veto reports \"cancelled by the user\", once, and nothing happens", needs: operations
        ) {
            trial in
            let (files, work) = (try trial.readWrite, try trial.operations)
            try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
            let delegate = RecordingDelegate(allows: false)
            trial.provider.context.fileOperationDelegate = delegate
            trial.provider.context.delegate = delegate
            try await trial.expectFailure(.userCancelled) {
                work.removeItem(path: trial.path("file"), completionHandler: $0)
            }
            try await trial.expectFailure(.userCancelled) {
                files.writeContents(path: trial.path("new"), contents: sample(1), completionHandler: $0)
            }
            try await trial.expectFailure(.userCancelled) {
                work.moveItem(path: trial.path("file"), to: trial.path("moved"), completionHandler: $0)
            }
            try await expectError(.userCancelled) { try await work.createDirectory(path: trial.path("d")) }
            trial.provider.context.fileOperationDelegate = nil
            try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
            try await trial.expectEntries(of: trial.directory, are: ["file"])
            await flush(trial.provider.context.dispatchQueue)
            try expectEqual(delegate.ends.count, 4, "events told to the delegate")
            try expect(
                delegate.ends.allSatisfy { if case .failed(_, wasVetoed: true) = $0 { true } else { false } },
                "told \(delegate.ends)")
        },
        ContractCase(.callbacks, "the delegate is told of operations in their order", needs: operations + [.copying]) {
            trial in
            let (work, context) = (try trial.operations, trial.provider.context)
            let delegate = RecordingDelegate()
            context.delegate = delegate
            try await trial.readWrite.writeContents(path: trial.path("a"), contents: sample(2_000_000))
            try await work.copyItem(path: trial.path("a"), to: trial.path("b"))
            _ = try? await work.moveItem(path: trial.path("missing"), to: trial.path("c"))
            try await work.removeItem(path: trial.path("b"))
            await flush(context.dispatchQueue)
            try expectEqual(
                delegate.ends,
                [
                    .succeeded(.modify(trial.path("a"))),
                    .succeeded(.copy(source: trial.path("a"), destination: trial.path("b"))),
                    .failed(.move(source: trial.path("missing"), destination: trial.path("c")), wasVetoed: false),
                    .succeeded(.remove(trial.path("b"))),
                ], "events")
        },
        ContractCase(.callbacks, "the delegate sees progress rise and end before the end", needs: operations) { trial in
            let delegate = RecordingDelegate()
            trial.provider.context.delegate = delegate
            try await withScratchFolder { folder in
                let local = try folder.put("local", sample(3_000_000))
                try await trial.operations.copyItem(localFile: local, to: trial.path("file"))
            }
            await flush(trial.provider.context.dispatchQueue)
            let fractions: [Float] = delegate.events.compactMap {
                if case .progressed(_, let value) = $0 { value } else { nil }
            }
            try expectEqual(fractions, fractions.sorted(), "fractions in order")
            try expect(fractions.allSatisfy { (0...1).contains($0) }, "fractions \(fractions)")
            try expectEqual(fractions.last, 1, "the last fraction")
            let isLast = if case .succeeded = delegate.events.last { true } else { false }
            try expect(isLast, "the end is not the last of \(delegate.events)")
        },
        ContractCase(.callbacks, "an error may be passed over by the delegate", needs: operations) { trial in
            let delegate = RecordingDelegate(passesOverErrors: true)
            trial.provider.context.fileOperationDelegate = delegate
            try await trial.expectSuccess {
                try trial.operations.removeItem(path: trial.path("missing"), completionHandler: $0)
            }
            trial.provider.context.fileOperationDelegate = nil
            withExtendedLifetime(delegate) {}
        },
        ContractCase(.callbacks, "delegates are not kept alive") { trial in
            var delegate: RecordingDelegate? = RecordingDelegate()
            trial.provider.context.delegate = delegate
            trial.provider.context.fileOperationDelegate = delegate
            try expect(trial.provider.context.delegate != nil, "the delegate is lost")
            delegate = nil
            try expect(trial.provider.context.delegate == nil, "the delegate is kept")
            try expect(trial.provider.context.fileOperationDelegate == nil, "the operation delegate is kept")
        },
    ]
}

/// Counts how many operations the delegate is asked about at the same time.
private final class OperationCounter: FileOperationDelegate {
    private let counts = Locked((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool {
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        try? await Task.sleep(for: .milliseconds(5))
        counts.withLock { $0.now -= 1 }
        return true
    }
}
