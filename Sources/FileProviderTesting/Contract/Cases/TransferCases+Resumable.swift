import FileProviding
import Foundation

extension TransferCases {
    private static let needs: [ContractCapability] = [.partialWrites, .reading, .writing]
    private static let size = 1_500_000

    static let resumable = [
        ContractCase(.transfer, "a file sent in parts is whole, and has its name only then", needs: needs) { trial in
            let (provider, path, data) = (try partialWrite(trial), trial.path("file"), sample(size))
            let upload = try await provider.beginPartialWrite(
                path: path, length: Int64(size), resuming: nil, in: OperationContext())
            for part in [0..<400_000, 400_000..<400_001, 400_001..<size] {
                try expectEqual(upload.acknowledged, Int64(part.lowerBound), "bytes acknowledged")
                try await send(data, part, to: upload)
                try await trial.expectMissing(path)
            }
            let file = try await upload.commit(in: OperationContext())
            try await trial.expectFile(path, holds: data)
            try expectTrue(file, of: try await trial.provider.attributesOfItem(path: path))
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.transfer, "an interrupted upload goes on in another provider, from what it had", needs: needs) {
            trial in
            let (path, data, first) = (trial.path("file"), sample(size), 600_000)
            let state = try await interrupt(after: first, data, path, in: trial)
            let other = try await trial.anotherProvider(as: (any FileProviderPartialWrite).self)
            let upload = try await other.beginPartialWrite(
                path: path, length: Int64(size), resuming: state.state, in: OperationContext())
            try expect(
                upload.acknowledged >= state.acknowledged,
                "\(state.acknowledged) bytes were acknowledged, but \(upload.acknowledged) are there")
            try expect(upload.acknowledged <= Int64(first), "\(upload.acknowledged) bytes, but \(first) were sent")
            try await send(data, Int(upload.acknowledged)..<size, to: upload)
            _ = try await upload.commit(in: OperationContext())
            try await trial.expectFile(path, holds: data)
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.transfer, "a source that fails in mid-upload loses nothing that was acknowledged", needs: needs) {
            trial in
            let (path, data) = (trial.path("file"), sample(size))
            let upload = try await partialWrite(trial).beginPartialWrite(
                path: path, length: Int64(size), resuming: nil, in: OperationContext())
            try await expectError(ExpectedError("the source's own error") { $0 is SourceFailure }) {
                try await upload.append(
                    .failing(after: data.prefix(900_000), with: SourceFailure()), in: OperationContext())
            }
            let acknowledged = Int(upload.acknowledged)
            try expect((0...900_000).contains(acknowledged), "\(acknowledged) bytes acknowledged")
            try await send(data, acknowledged..<size, to: upload)
            _ = try await upload.commit(in: OperationContext())
            try await trial.expectFile(path, holds: data)
        },
        ContractCase(.transfer, "an upload without its last bytes is not committed", needs: needs) { trial in
            let upload = try await partialWrite(trial).beginPartialWrite(
                path: trial.path("file"), length: Int64(size), resuming: nil, in: OperationContext())
            try await send(sample(size), 0..<size - 1, to: upload)
            try await expectError(.any) { try await upload.commit(in: OperationContext()) }
            try await trial.expectMissing(trial.path("file"))
            try await upload.abort()
        },
        ContractCase(.transfer, "an aborted upload leaves nothing", needs: needs) { trial in
            let upload = try await partialWrite(trial).beginPartialWrite(
                path: trial.path("file"), length: trial.expectations.resumesUnknownLengths ? nil : Int64(size),
                resuming: nil, in: OperationContext())
            try await send(sample(size), 0..<1_000_000, to: upload)
            try await upload.abort()
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.transfer, "an upload commits over an old file only with overwrite", needs: needs) { trial in
            try await trial.write(trial.path("file"), Data("old".utf8))
            try await expectError(.exists) {
                let upload = try await partialWrite(trial).beginPartialWrite(
                    path: trial.path("file"), length: 10, resuming: nil, in: OperationContext())
                try await send(sample(10), 0..<10, to: upload)
                _ = try await upload.commit(in: OperationContext())
            }
            try await trial.expectFile(trial.path("file"), holds: Data("old".utf8))
            let context = OperationContext(options: OperationOptions(overwrite: true))
            let upload = try await partialWrite(trial).beginPartialWrite(
                path: trial.path("file"), length: 10, resuming: nil, in: context)
            try await send(sample(10), 0..<10, to: upload)
            try await trial.expectFile(trial.path("file"), holds: Data("old".utf8))
            _ = try await upload.commit(in: context)
            try await trial.expectFile(trial.path("file"), holds: sample(10))
        },
        ContractCase(.transfer, "an upload commits over the version that it expects, and no other", needs: needs) {
            trial in
            guard trial.expectations.checksExpectedVersions else { return }
            let (path, provider) = (trial.path("file"), try partialWrite(trial))
            try await trial.write(path, Data("first".utf8))
            let first = try await trial.provider.attributesOfItem(path: path).version
            let context = OperationContext(options: OperationOptions(overwrite: true, expecting: first))
            let upload = try await provider.beginPartialWrite(path: path, length: 10, resuming: nil, in: context)
            try await send(sample(10), 0..<10, to: upload)
            try await trial.readWrite.write(
                path: path, from: ByteStream(Data("second one".utf8)), options: OperationOptions(overwrite: true))
            try await expectError(.changed) { try await upload.commit(in: context) }
            try await trial.expectFile(path, holds: Data("second one".utf8))
            try? await upload.abort()
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.transfer, "a state that no longer holds begins anew", needs: needs) { trial in
            let path = trial.path("file")
            let aborted = try await interrupt(after: 500_000, sample(size), path, in: trial)
            let provider = try partialWrite(trial)
            let upload = try await provider.beginPartialWrite(
                path: path, length: Int64(size), resuming: aborted.state, in: OperationContext())
            try await upload.abort()
            for state in [aborted.state, Data(), Data("no state at all".utf8)] {
                let upload = try await provider.beginPartialWrite(
                    path: path, length: Int64(size), resuming: state, in: OperationContext())
                try expectEqual(upload.acknowledged, 0, "bytes acknowledged of \(state.count) bytes of state")
                try await upload.abort()
            }
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.transfer, "a state of another file or length begins anew", needs: needs) { trial in
            let old = try await interrupt(after: 500_000, sample(size), trial.path("file"), in: trial)
            for (name, length) in [("other", Int64(size)), ("file", Int64(size - 1))] {
                let upload = try await partialWrite(trial).beginPartialWrite(
                    path: trial.path(name), length: length, resuming: old.state, in: OperationContext())
                try expectEqual(upload.acknowledged, 0, "bytes acknowledged of \(name), \(length) bytes")
                try await upload.abort()
            }
        },
        ContractCase(.transfer, "an upload's bytes may be put into its local file where it has one", needs: needs) {
            trial in
            let (path, data) = (trial.path("file"), sample(size))
            let upload = try await partialWrite(trial).beginPartialWrite(
                path: path, length: Int64(size), resuming: nil, in: OperationContext())
            if let file = upload.localFile {
                try file.write(data.prefix(700_000), at: 0)
                try await upload.acknowledge(upTo: 700_000)
                try expectEqual(upload.acknowledged, 700_000, "bytes acknowledged")
            }
            try await send(data, Int(upload.acknowledged)..<size, to: upload)
            _ = try await upload.commit(in: OperationContext())
            try await trial.expectFile(path, holds: data)
        },
        ContractCase(.transfer, "an upload makes missing parents where that is asked", needs: needs + [.creating]) {
            trial in
            for (number, creates) in [false, true].enumerated() {
                let path = trial.path("missing \(number)/below/file")
                let options = OperationOptions(
                    attributes: ItemAttributes(permissions: 0o600), createsParents: creates)
                let context = OperationContext(options: options)
                let write = {
                    let upload = try await partialWrite(trial).beginPartialWrite(
                        path: path, length: 10, resuming: nil, in: context)
                    try await send(sample(10), 0..<10, to: upload)
                    _ = try await upload.commit(in: context)
                }
                if creates { try await write() } else { try await expectError(.noSuchFile) { try await write() } }
            }
            try await trial.expectFile(trial.path("missing 1/below/file"), holds: sample(10))
            try await trial.expectMissing(trial.path("missing 0"))
        },
        ContractCase(.transfer, "a resumed upload carries the attributes of its commit", needs: needs) { trial in
            let path = trial.path("file")
            let time = FileTime(seconds: 1_234_567_890)
            let attributes = ItemAttributes(modificationTime: time)
            let early = trial.expectations.takesAttributesAtCommit ? ItemAttributes() : attributes
            let upload = try await partialWrite(trial).beginPartialWrite(
                path: path, length: 10, resuming: nil,
                in: OperationContext(options: OperationOptions(attributes: early)))
            try await send(sample(10), 0..<10, to: upload)
            _ = try await upload.commit(in: OperationContext(options: OperationOptions(attributes: attributes)))
            guard trial.expectations.settableTimePrecision != nil else { return }
            let kept = try await trial.provider.attributesOfItem(path: path).modificationTime
            try expectEqual(kept?.seconds, time.seconds, "seconds of the modification time")
        },
    ]

    private static func partialWrite(_ trial: ContractTrial) throws -> any FileProviderPartialWrite {
        try trial.provider(as: (any FileProviderPartialWrite).self)
    }

    private static func send(_ data: Data, _ range: Range<Int>, to upload: any ResumableUpload) async throws {
        try await upload.append(
            .pieces(data.subdata(in: range), sizes: [100_000], length: Int64(range.count)), in: OperationContext())
    }

    /// Begins an upload with a separate provider, and drops both after this many bytes.
    private static func interrupt(
        after count: Int, _ data: Data, _ path: ItemPath, in trial: ContractTrial
    ) async throws -> (state: ResumableUpload.State, acknowledged: Int64) {
        let provider = try await trial.anotherProvider(as: (any FileProviderPartialWrite).self)
        let upload = try await provider.beginPartialWrite(
            path: path, length: Int64(data.count), resuming: nil, in: OperationContext())
        try await send(data, 0..<count, to: upload)
        return (try upload.saveState(), upload.acknowledged)
    }
}
