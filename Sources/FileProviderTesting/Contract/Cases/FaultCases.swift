import FileProviding
import Foundation

/// Connections that break or fall silent: each operation ends in success or one clear error, and nothing is lost.
///
/// Wrong statuses, decompression bombs and login pages are specific to one protocol; its own tests cover them.
enum FaultCases {
    private static let size = 60_000
    /// The numbers of bytes in one direction after which it is cut: within the greeting, within heads, within the file.
    private static let cuts = [0, 1, 150, 1_500, 20_000, 50_000]

    /// The numbers of bytes of replies after which they are cut: after greetings, key exchanges and preceding requests,
    /// whose sizes the contract does not know, some of these cut the reply that matters.
    private static let sweep = [0] + Array(stride(from: 150, through: 8_150, by: 800))

    static let all = [
        ContractCase(
            .faults, "a file read over a connection that is cut is whole, or an error", needs: [.remote, .reading]
        ) { trial in
            let (path, data) = (trial.path("file"), sample(size))
            try await trial.arrange(file: path, data)
            for cut in cuts {
                try await trial.withFaults({ _ in FaultProxy.Faults(toClient: [.cut(after: cut)]) }) { provider in
                    if let read = try await value(of: { try await provider.read(path: path).collect() }) {
                        try expectEqual(read, data, "bytes after a cut behind \(cut) bytes")
                    }
                }
            }
        },
        ContractCase(
            .faults,
            "a file written over a connection that is cut is whole or not there, and replaces the old one whole",
            needs: [.remote, .writing, .reading]
        ) { trial in
            let (old, new) = (sample(100, seed: 7), sample(size))
            for (number, cut) in cuts.enumerated() {
                let (fresh, present) = (trial.path("fresh \(number)"), trial.path("present \(number)"))
                try await trial.arrange(file: present, old)
                try await trial.withFaults({ _ in FaultProxy.Faults(toServer: [.cut(after: cut)]) }) { provider in
                    for (path, overwrite) in [(fresh, false), (present, true)] {
                        let written = try await value {
                            try await provider.write(
                                path: path, from: ByteStream(new), options: OperationOptions(overwrite: overwrite))
                        }
                        if written != nil {
                            try expectEqual(try await trial.read(path), new, "bytes of a write that succeeded")
                            continue
                        }
                        let found = try await value(unless: \.isNoSuchFile) { try await trial.read(path) }
                        try expect(
                            found == new || found == (overwrite ? old : nil),
                            "after a cut behind \(cut) bytes, \(path) has \(found?.count ?? -1) bytes")
                    }
                }
                try await trial.expectFile(present, holdsEither: old, or: new)
            }
        },
        ContractCase(
            .faults, "a directory listed over a connection that is cut is whole, or ends in an error", needs: [.remote]
        ) { trial in
            for index in 0..<30 { try await trial.arrange(file: trial.path("file \(index)")) }
            let names = try await Set(trial.names(in: trial.directory))
            for cut in sweep {
                try await trial.withFaults({ _ in FaultProxy.Faults(toClient: [.cut(after: cut)]) }) { provider in
                    var found: [ItemName] = []
                    let whole: Void? = try await value {
                        for try await page in provider.listing(path: trial.directory) { found += page.map(\.itemName) }
                    }
                    try expectEqual(Set(found).count, found.count, "entries that came once")
                    try expect(names.isSuperset(of: found), "entries that are none came")
                    try expect(whole == nil || found.count == names.count, "\(found.count) entries without an error")
                }
            }
        },
        ContractCase(
            .faults, "an item moved over a connection that is cut is in one of the two places, whole",
            needs: [.remote, .moving, .reading]
        ) { trial in
            for (number, cut) in sweep.enumerated() {
                let (source, target) = (trial.path("source \(number)"), trial.path("target \(number)"))
                try await trial.arrange(file: source, sample(500))
                var isDone = false
                try await trial.withFaults({ _ in FaultProxy.Faults(toClient: [.cut(after: cut)]) }) { provider in
                    isDone = try await value { try await provider.moveItem(path: source, to: target) } != nil
                }
                let names = try await trial.names(in: trial.directory)
                let found = [source, target].filter { $0.lastComponent.map(names.contains) == true }
                let isOnce = found.count == 1 || !isDone && !trial.expectations.movesInOneStep && found.count == 2
                try expect(isOnce, "\(found.count) places of the item after a cut behind \(cut) bytes")
                try expect(!isDone || found == [target], "a move that succeeded left the item where it was")
                for path in found {
                    try await trial.expectFile(path, holds: sample(500))
                    try await trial.arrange(removalOf: path)
                }
            }
        },
        ContractCase(.faults, "a connection that breaks once is made again", needs: [.remote, .reading]) { trial in
            let (path, data) = (trial.path("file"), sample(size))
            try await trial.arrange(file: path, data)
            let faults: @Sendable (Int) -> FaultProxy.Faults = { number in
                number == 0 ? FaultProxy.Faults(toClient: [.cut(after: 0)]) : FaultProxy.Faults()
            }
            try await trial.withFaults(faults) { provider in
                try expectEqual(try await provider.attributesOfItem(path: path).path, path)
                try expectEqual(try await provider.read(path: path).collect(), data)
            }
        },
        ContractCase(.faults, "a server that falls silent is an error in time", needs: [.remote, .reading]) { trial in
            let path = trial.path("file")
            try await trial.arrange(file: path, sample(size))
            for limit in [0, 20_000] {
                try await trial.withFaults({ _ in FaultProxy.Faults(toClient: [.stall(after: limit)]) }) { provider in
                    try await expectError(.transport) { try await provider.read(path: path).collect() }
                    if limit == 0 {
                        try await expectError(.transport) { try await provider.attributesOfItem(path: path) }
                        try await expectError(.transport) { try await provider.contentsOfDirectory(path: .root) }
                    }
                }
            }
        },
    ]

    /// Returns the result of the work, `nil` if it ends in an error.
    ///
    /// - Parameter isExpected: which errors are fine; by default clear ones, other than a cancellation that nobody
    ///   asked for.
    private static func value<Value>(
        unless isExpected: (any Error) -> Bool = { ExpectedError.any.matches($0) && !($0 is CancellationError) },
        of work: () async throws -> Value
    ) async throws -> Value? {
        do { return try await work() } catch  where isExpected(error) { return nil }
    }
}

extension ContractTrial {
    /// Runs work with a provider of the same storage whose connections have faults.
    fileprivate func withFaults(
        _ faults: @escaping @Sendable (Int) -> FaultProxy.Faults,
        _ work: (any FileProvider) async throws -> Void
    ) async throws {
        let make = try expectValue(expectations.faulty, "`faulty` among the expectations of a remote provider")
        let (provider, proxy) = try await make(self.provider, faults)
        defer { proxy.stop() }
        try await work(provider)
    }

    fileprivate func expectFile(_ path: ItemPath, holdsEither one: Data, or other: Data) async throws {
        let found = try await read(path)
        try expect(found == one || found == other, "\(path) is neither the old file nor the new one")
    }
}
