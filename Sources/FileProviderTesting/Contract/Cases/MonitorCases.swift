import FileProviding
import Foundation

/// Changes as they happen. A monitor may always report "look again" (rescan), but must not stay silent.
enum MonitorCases {
    static let all = kinds + scope + bursts + registration

    private static let needs: [ContractCapability] = [.monitoring, .writing, .removing, .moving, .creating]

    private static let kinds = [
        ContractCase(.monitor, "a new file is told", needs: needs) { trial in
            try await expectTold(trial, [.created(trial.path("new"))]) {
                try await trial.write(trial.path("new"), sample(9))
            }
        },
        ContractCase(.monitor, "a new directory is told", needs: needs) { trial in
            try await expectTold(trial, [.created(trial.path("d"))]) {
                try await trial.operations.createDirectory(path: trial.path("d"))
            }
        },
        ContractCase(.monitor, "a changed file is told", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            try await expectTold(trial, [.modified(trial.path("file"))]) {
                try await trial.write(trial.path("file"), sample(9), overwrite: true)
            }
        },
        ContractCase(.monitor, "a removed file and a removed directory are told", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            try await trial.arrange(file: trial.path("d/inside"))
            try await expectTold(trial, [.removed(trial.path("file")), .removed(trial.path("d"))]) {
                try await trial.operations.removeItem(path: trial.path("file"))
                try await trial.operations.removeItem(path: trial.path("d"))
            }
        },
        ContractCase(.monitor, "a renamed item is told, old name and new", needs: needs) { trial in
            try await trial.arrange(file: trial.path("old"))
            try await expectTold(trial, [.moved(from: trial.path("old"), to: trial.path("new"))]) {
                try await trial.operations.moveItem(path: trial.path("old"), to: trial.path("new"))
            }
        },
        ContractCase(.monitor, "an item that moves in and one that moves out are told", needs: needs) { trial in
            try await trial.arrange(file: trial.path("outside/a"))
            try await trial.arrange(file: trial.path("watched/b"))
            try await expectTold(
                trial, in: trial.path("watched"),
                [.created(trial.path("watched/a")), .removed(trial.path("watched/b"))]
            ) {
                try await trial.operations.moveItem(path: trial.path("outside/a"), to: trial.path("watched/a"))
                try await trial.operations.moveItem(path: trial.path("watched/b"), to: trial.path("outside/b"))
            }
        },
        ContractCase(.monitor, "changes from another provider are told", needs: needs) { trial in
            let other = try await trial.anotherProvider(as: (any FileProviderReadWrite).self)
            try await expectTold(trial, [.created(trial.path("new"))]) {
                try await other.write(path: trial.path("new"), from: ByteStream(sample(9)))
            }
        },
    ]

    private static let scope = [
        ContractCase(.monitor, "changes in subdirectories are told, also in new ones", needs: needs) { trial in
            try await trial.arrange(directory: trial.path("old/deep"))
            try await expectTold(
                trial, [.created(trial.path("old/deep/file")), .created(trial.path("new/deep/file"))]
            ) {
                try await trial.write(trial.path("old/deep/file"), sample(9))
                try await trial.operations.createDirectory(path: trial.path("new/deep"), createsParents: true)
                try await trial.write(trial.path("new/deep/file"), sample(9))
            }
        },
        ContractCase(.monitor, "changes elsewhere are not told", needs: needs) { trial in
            for name in ["watched", "elsewhere"] { try await trial.arrange(directory: trial.path(name)) }
            let told = try await expectTold(
                trial, in: trial.path("watched"), [.created(trial.path("watched/last"))]
            ) {
                try await trial.write(trial.path("elsewhere/file"), sample(9))
                try await trial.write(trial.path("beside"), sample(9))
                try await trial.write(trial.path("watched/last"), sample(9))
            }
            for path in told.flatMap(\.paths) {
                try expect(path.isInside(trial.path("watched")), "told of \(path)")
            }
        },
        ContractCase(.monitor, "changes in subdirectories are not told where that is not asked", needs: needs) {
            trial in
            try await trial.arrange(directory: trial.path("d"))
            let told = try await expectTold(trial, isRecursive: false, [.created(trial.path("last"))]) {
                try await trial.write(trial.path("d/file"), sample(9))
                try await trial.write(trial.path("last"), sample(9))
            }
            try expect(!told.flatMap(\.paths).contains(trial.path("d/file")), "told \(told)")
        },
        ContractCase(.monitor, "watching a missing directory is no such file", needs: needs) { trial in
            try await expectError(.noSuchFile) {
                try await trial.provider(as: (any FileProviderMonitor).self)
                    .changes(path: trial.path("missing"), recursive: true)
            }
        },
        ContractCase(.monitor, "watching a file says that it is no directory", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            for isRecursive in [true, false] {
                try await expectError(.notADirectory, "recursive: \(isRecursive)") {
                    try await trial.provider(as: (any FileProviderMonitor).self)
                        .changes(path: trial.path("file"), recursive: isRecursive)
                }
            }
        },
    ]

    private static let bursts = [
        ContractCase(.monitor, "of a thousand changes at once none is lost", needs: needs) { trial in
            let expected = (0..<1_000).map { FileChange.created(trial.path("burst/file \($0)")) }
            try await trial.arrange(directory: trial.path("burst"))
            try await expectTold(trial, expected) { try await trial.arrangeMany(1_000, in: trial.path("burst")) }
        },
        ContractCase(.monitor, "what is told leads to the final state, deletions included", needs: needs) { trial in
            let monitor = try trial.provider(as: (any FileProviderMonitor).self)
            let changes = try await monitor.changes(path: trial.directory, recursive: true)
            for index in 0..<20 { try await trial.write(trial.path("file \(index)"), sample(index + 1)) }
            for index in stride(from: 0, to: 20, by: 2) {
                try await trial.operations.removeItem(path: trial.path("file \(index)"))
            }
            try await trial.operations.moveItem(path: trial.path("file 1"), to: trial.path("moved"))
            try await trial.write(trial.path("last"), sample(1))
            let last = trial.path("last")
            let told = try await collect(changes, "the last change", in: trial) { $0.covers(last) }
            var state: Set<ItemPath> = []
            for change in told {
                switch change {
                case .created(let path), .modified(let path): state.insert(path)
                case .removed(let path): state.remove(path)
                case .moved(let source, let destination):
                    state.remove(source)
                    state.insert(destination)
                case .rescan(let path):
                    state = Set(try await trial.provider.contentsOfDirectory(path: path).map(\.path))
                }
            }
            let listed = try await trial.provider.contentsOfDirectory(path: trial.directory).map(\.path)
            try expectEqual(state.sorted(), listed.sorted(), "what someone knows who followed the changes")
        },
    ]

    private static let registration = [
        ContractCase(.monitor, "a registered handler is told until it is unregistered", needs: needs) { trial in
            let monitor = try trial.provider(as: (any FileProviderMonitor).self)
            let seen = Locked<[FileChange]>([])
            let first = Outcome<Void>()
            try await monitor.registerNotification(path: trial.directory) { change in
                seen.withLock { $0.append(change) }
                first.open()
            }
            try expect(monitor.isRegisteredForNotification(path: trial.directory), "it says it is not registered")
            try await trial.write(trial.path("first"), sample(9))
            await first.value
            monitor.unregisterNotification(path: trial.directory)
            try expect(!monitor.isRegisteredForNotification(path: trial.directory), "it says it is still registered")
            try await expectTold(trial, [.created(trial.path("second"))]) {
                try await trial.write(trial.path("second"), sample(9))
            }
            await flush(monitor.context.dispatchQueue)
            let paths = seen.withLock { $0 }.flatMap(\.paths)
            try expect(!paths.contains(trial.path("second")), "told of \(paths) after it was unregistered")
        },
        ContractCase(.monitor, "a handler that unregisters itself is not told again", needs: needs) { trial in
            let monitor = try trial.provider(as: (any FileProviderMonitor).self)
            let (calls, isTold) = (Locked(0), Outcome<Void>())
            let (directory, queue) = (trial.directory, monitor.context.dispatchQueue)
            try await monitor.registerNotification(path: directory) { _ in
                calls.withLock { $0 += 1 }
                monitor.unregisterNotification(path: directory)
                isTold.open()
            }
            do {
                // Everything is reported before the handler gets its turn.
                queue.suspend()
                defer { queue.resume() }
                try await expectTold(trial, [.created(trial.path("first")), .created(trial.path("second"))]) {
                    for name in ["first", "second"] { try await trial.write(trial.path(name), sample(9)) }
                }
            }
            // Its own connection to the server may be behind the other watcher's.
            await isTold.value
            await flush(queue)
            try expectEqual(calls.withLock { $0 }, 1, "calls")
        },
        ContractCase(.monitor, "watching ends when the watcher's task is cancelled", needs: needs) { trial in
            let monitor = try trial.provider(as: (any FileProviderMonitor).self)
            let changes = try await monitor.changes(path: trial.directory, recursive: true)
            let hasBegun = Outcome<Void>()
            let task = Task {
                hasBegun.open()
                for try await _ in changes {}
            }
            await hasBegun.value
            task.cancel()
            switch await task.result {
            case .success: break
            case .failure(let error): try expect(error is CancellationError, "it ended with \(error)")
            }
        },
        ContractCase(.monitor, "two watchers of one directory are both told", needs: needs) { trial in
            let monitor = try trial.provider(as: (any FileProviderMonitor).self)
            let one = try await monitor.changes(path: trial.directory, recursive: true)
            let other = try await monitor.changes(path: trial.directory, recursive: false)
            try await trial.write(trial.path("file"), sample(9))
            let file = trial.path("file")
            for changes in [one, other] {
                _ = try await collect(changes, "the new file", in: trial) { $0.covers(file) }
            }
        },
    ]
}
