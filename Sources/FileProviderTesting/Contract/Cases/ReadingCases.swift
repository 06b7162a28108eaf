import FileProviding
import Foundation

/// Reading files.
enum ReadingCases {
    static let all = ranges.map(rangeCase) + whole + refusals + streams

    /// A range, the bytes that it covers in a file of 1,000 bytes, and the promise in words.
    private static let ranges: [(ByteRange, Range<Int>, String)] = [
        (.all, 0..<1_000, "the whole file"),
        (.from(0), 0..<1_000, "from the beginning"),
        (.from(400), 400..<1_000, "from an offset"),
        (.from(999), 999..<1_000, "the last byte by its offset"),
        (.from(1_000), 1_000..<1_000, "from the end on nothing"),
        (.from(5_000), 1_000..<1_000, "from behind the end nothing"),
        (.range(100..<300), 100..<300, "a range from offset to offset"),
        (.range(0..<1), 0..<1, "the first byte"),
        (.range(900..<5_000), 900..<1_000, "a range past the end, clipped"),
        (.range(1_000..<1_001), 1_000..<1_000, "a range at the end, empty"),
        (.range(2_000..<3_000), 1_000..<1_000, "a range behind the end, empty"),
        (.range(500..<500), 500..<500, "an empty range"),
        (.range(0..<Int64.max), 0..<1_000, "a range without end"),
        (.last(10), 990..<1_000, "the last bytes"),
        (.last(1_000), 0..<1_000, "as many last bytes as there are"),
        (.last(5_000), 0..<1_000, "more last bytes than there are, clipped"),
        (.last(0), 1_000..<1_000, "no last bytes"),
    ]

    private static func rangeCase(_ range: ByteRange, _ bytes: Range<Int>, _ name: String) -> ContractCase {
        ContractCase(.reading, "reads \(name)", needs: [.reading]) { trial in
            let data = sample(1_000)
            try await trial.arrange(file: trial.path("file"), data)
            let contents = try await trial.readWrite.read(path: trial.path("file"), range: range)
            if let length = contents.head.length { try expectEqual(length, Int64(bytes.count), "announced length") }
            if let size = contents.head.totalSize { try expectEqual(size, 1_000, "announced size") }
            if !bytes.isEmpty { try expectEqual(contents.head.offset, Int64(bytes.lowerBound), "announced offset") }
            try expectEqual(try await contents.collect(), data.subdata(in: bytes))
        }
    }

    private static let whole = [
        ContractCase(.reading, "reads an empty file, whole and in parts", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("empty"), Data())
            for range in [ByteRange.all, .from(0), .from(1), .range(0..<10), .last(5)] {
                try expectEqual(try await trial.read(trial.path("empty"), range), Data(), "bytes of \(range)")
            }
        },
        ContractCase(.reading, "contents take an offset and a length", needs: [.reading]) { trial in
            let data = sample(1_000)
            try await trial.arrange(file: trial.path("file"), data)
            let (provider, path) = (try trial.readWrite, trial.path("file"))
            try expectEqual(try await provider.contents(path: path), data)
            try expectEqual(try await provider.contents(path: path, offset: 900), data.suffix(100))
            try expectEqual(
                try await provider.contents(path: path, offset: 10, length: 20), data.subdata(in: 10..<30))
            try expectEqual(try await provider.contents(path: path, offset: 10, length: 0), Data())
        },
        ContractCase(.reading, "reads the end of a large file without the rest", needs: [.reading]) { trial in
            let path = trial.path("large")
            let mark = try await trial.arrangeLarge(path)
            let size = trial.expectations.largeFile
            try expectEqual(try await trial.provider.attributesOfItem(path: path).size, size, "size")
            try expectEqual(try await trial.read(path, .last(Int64(mark.count))), mark, "the last bytes")
            try expectEqual(try await trial.read(path, .from(size - 4)), mark.suffix(4), "from an offset")
            try expectEqual(
                try await trial.read(path, .range(size - Int64(mark.count) - 2..<size - Int64(mark.count) + 2)),
                Data(count: 2) + mark.prefix(2), "across the mark's beginning")
        },
        ContractCase(.reading, "reads into an open local file at an offset", needs: [.reading]) { trial in
            let data = sample(700_000)
            try await trial.arrange(file: trial.path("file"), data)
            try await withScratchFolder { folder in
                let file = try LocalFileHandle(owning: folder.create("target"))
                let context = OperationContext()
                let head = try await trial.readWrite.read(
                    path: trial.path("file"), range: .from(100), into: file, at: 50, in: context)
                try expectEqual(try file.size(), 50 + 700_000 - 100, "size of the local file")
                try expectEqual(try file.read(at: 50, count: 700_000), data.dropFirst(100), "bytes behind the offset")
                if let length = head.length { try expectEqual(length, 699_900, "announced length") }
                try expectEqual(context.progress.current.completed, 699_900, "progress")
            }
        },
    ]

    private static let refusals = [
        ContractCase(.reading, "a negative offset or count is an invalid argument", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"))
            for range in [ByteRange.from(-1), .range(-5..<5), .last(-1)] {
                try await expectError(.invalidArgument, "\(range)") { try await trial.read(trial.path("file"), range) }
            }
            try await expectError(.invalidArgument) {
                try await trial.readWrite.contents(path: trial.path("file"), offset: 0, length: -2)
            }
        },
        ContractCase(.reading, "a directory cannot be read", needs: [.reading]) { trial in
            try await trial.arrange(directory: trial.path("d"))
            for path in [trial.path("d"), trial.directory] {
                try await expectError(.isADirectory) { try await trial.read(path) }
            }
        },
        ContractCase(.reading, "a missing file gives an error and not one byte", needs: [.reading]) { trial in
            for path in ["missing", "missing/too"] {
                for range in [ByteRange.all, .from(1), .last(1)] {
                    try await expectError(.noSuchFile) {
                        try await trial.readWrite.read(path: trial.path(path), range: range)
                    }
                }
            }
        },
        ContractCase(.reading, "another version than expected is refused", needs: [.reading]) { trial in
            let path = trial.path("file")
            try await trial.arrange(file: path, Data("first".utf8))
            let version = try await trial.provider.attributesOfItem(path: path).version
            let context = OperationContext(options: OperationOptions(expecting: version))
            let contents = try await trial.readWrite.read(path: path, range: .all, in: context)
            try expectEqual(try await contents.collect(), Data("first".utf8))
            try await trial.arrange(file: path, Data("second, longer".utf8))
            try await expectError(.changed) {
                try await trial.readWrite.read(path: path, range: .all, in: context).collect()
            }
        },
        ContractCase(.reading, "a cancelled task's reading ends with a cancellation", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"), sample(2 << 20))
            let hasBegun = Outcome<Void>()
            let goOn = Outcome<Void>()
            let task = Task {
                defer { hasBegun.open() }
                let contents = try await trial.readWrite.read(path: trial.path("file"))
                var count = 0
                for try await chunk in contents {
                    count += chunk.count
                    hasBegun.open()
                    await goOn.value
                }
                return count
            }
            await hasBegun.value
            task.cancel()
            goOn.open()
            // What was already on its way may still arrive; but a short file must not appear to be complete.
            switch await task.result {
            case .success(let count): try expectEqual(count, 2 << 20, "bytes of a reading that ended without error")
            case .failure(let error): try expect(error is CancellationError, "it ended with \(error)")
            }
        },
    ]

    private static let streams = [
        ContractCase(.reading, "a reader may leave after the first bytes", needs: [.reading]) { trial in
            let data = sample(3 << 20)
            try await trial.arrange(file: trial.path("file"), data)
            for _ in 0..<20 {
                var chunks = try await trial.readWrite.read(path: trial.path("file")).makeAsyncIterator()
                let first = try expectValue(try await chunks.next(), "the first chunk")
                try expectEqual(first, data.prefix(first.count), "the first chunk")
            }
            _ = try await trial.readWrite.read(path: trial.path("file"))
            try expectEqual(try await trial.read(trial.path("file")), data)
        },
        ContractCase(.reading, "two readers of a file do not disturb each other", needs: [.reading]) { trial in
            let data = sample(2 << 20)
            try await trial.arrange(file: trial.path("file"), data)
            var first = try await trial.readWrite.read(path: trial.path("file")).makeAsyncIterator()
            var second = try await trial.readWrite.read(path: trial.path("file"), range: .from(1_000))
                .makeAsyncIterator()
            var (one, other) = (Data(), Data())
            var isDone = (false, false)
            while isDone != (true, true) {
                if let chunk = try await first.next() { one += chunk } else { isDone.0 = true }
                if let chunk = try await second.next() { other += chunk } else { isDone.1 = true }
            }
            try expectEqual(one, data, "bytes of the first")
            try expectEqual(other, data.dropFirst(1_000), "bytes of the second")
        },
        ContractCase(.reading, "bytes are exact while the directory is being listed", needs: [.reading]) { trial in
            let data = sample(1 << 20)
            try await trial.arrange(file: trial.path("file"), data)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { _ = try await trial.provider.contentsOfDirectory(path: trial.directory) }
                    group.addTask { try expectEqual(try await trial.read(trial.path("file")), data) }
                }
                try await group.waitForAll()
            }
        },
        ContractCase(.reading, "chunks are not empty and are of bearable size", needs: [.reading]) { trial in
            try await trial.arrange(file: trial.path("file"), sample(5 << 20))
            for try await chunk in try await trial.readWrite.read(path: trial.path("file")) {
                try expect((1...4 << 20).contains(chunk.count), "a chunk of \(chunk.count) bytes: at most 4 MiB")
            }
        },
        ContractCase(
            .reading, "a large file streams through little memory", needs: [.reading], isExclusive: true
        ) { trial in
            let path = trial.path("large")
            _ = try await trial.arrangeLarge(path)
            let length = min(trial.expectations.largeFile, 256 << 20)
            let limit = trial.expectations.streamsFiles ? 48 << 20 : 1 << 30
            try await expectMemory(growsAtMost: limit) {
                var count: Int64 = 0
                for try await chunk in try await trial.readWrite.read(path: path, range: .range(0..<length)) {
                    count += Int64(chunk.count)
                }
                try expectEqual(count, length, "bytes")
            }
        },
    ]
}
