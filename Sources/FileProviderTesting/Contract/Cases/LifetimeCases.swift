import FileProviding
import Foundation

/// Providers that are released while they work: what is in flight continues.
enum LifetimeCases {
    static let all = [
        ContractCase(.lifetime, "a file goes on being read after its provider is dropped", needs: [.reading]) { trial in
            let data = sample(3 << 20)
            try await trial.arrange(file: trial.path("file"), data)
            var provider: (any FileProviderReadWrite)? = try await trial.anotherProvider(
                as: (any FileProviderReadWrite).self)
            let contents = try expectValue(try await provider?.read(path: trial.path("file")), "the contents")
            provider = nil
            try expectEqual(try await contents.collect(), data)
        },
        ContractCase(.lifetime, "a provider is gone once it is dropped and its callbacks have come") { trial in
            var provider: (any FileProviderBasic)? = try await trial.anotherProvider(as: (any FileProviderBasic).self)
            weak let context = provider?.context
            // Keeping the progress must not keep the provider.
            let kept = Locked<[Progress]>([])
            for path in [ItemPath.root, trial.path("missing")] {
                let _: (FileObject?, (any Error)?) = try await trial.answer(of: provider) { [provider] done in
                    let provider = try expectValue(provider, "the provider")
                    let progress = provider.attributesOfItem(path: path) { done(($0, $1)) }
                    kept.withLock { $0.append(progress) }
                    return progress
                }
            }
            provider = nil
            try await withDeadline(.seconds(20), "a dropped provider") {
                while context != nil { try await Task.sleep(for: .milliseconds(20)) }
            }
            withExtendedLifetime(kept) {}
        },
        ContractCase(.lifetime, "a listing goes on after its provider is dropped") { trial in
            for index in 0..<11 { try await trial.arrange(file: trial.path("file \(index)")) }
            var provider: (any FileProviderBasic)? = try await trial.anotherProvider(as: (any FileProviderBasic).self)
            let listing = try expectValue(provider?.listing(path: trial.directory), "the listing")
            let recursive = try expectValue(provider?.recursiveListing(path: trial.directory), "the recursive listing")
            provider = nil
            try expectEqual(try await listing.collect().count, 11, "entries")
            try expectEqual(try await recursive.collect().count, 11, "items")
        },
        ContractCase(.lifetime, "a write goes on after its provider is dropped", needs: [.writing, .reading]) { trial in
            let write = await HeldWrite(
                to: trial.path("file"), of: try await trial.anotherProvider(as: (any FileProviderReadWrite).self))
            try await write.finish()
            try await trial.expectFile(trial.path("file"), holds: HeldWrite.bytes)
        },
        ContractCase(
            .lifetime, "an upload in parts goes on after its provider is dropped", needs: [.partialWrites, .reading]
        ) { trial in
            var provider: (any FileProviderPartialWrite)? = try await trial.anotherProvider(
                as: (any FileProviderPartialWrite).self)
            let upload = try expectValue(
                try await provider?.beginPartialWrite(
                    path: trial.path("file"), length: 100, resuming: nil, in: OperationContext()), "the upload")
            provider = nil
            try await upload.append(ByteStream(sample(100)), in: OperationContext())
            _ = try await upload.commit(in: OperationContext())
            try await trial.expectFile(trial.path("file"), holds: sample(100))
        },
        ContractCase(
            .lifetime, "twenty operations at once on one provider all end", needs: CallbackCases.operations + [.copying]
        ) { trial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        let directory = trial.path("d\(index)")
                        try await trial.operations.createDirectory(path: directory)
                        try await trial.write(directory.appending("file"), sample(20_000, seed: UInt64(index + 1)))
                        try await trial.operations.copyItem(
                            path: directory.appending("file"), to: directory.appending("copy"))
                        try expectEqual(
                            try await trial.read(directory.appending("copy")), sample(20_000, seed: UInt64(index + 1)))
                        try await trial.operations.removeItem(path: directory.appending("file"))
                        try await trial.expectEntries(of: directory, are: ["copy"])
                    }
                }
                try await group.waitForAll()
            }
        },
    ]
}
