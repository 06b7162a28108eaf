import FileProviding
import Foundation

/// Quota, copies and identities, URLs, hashes, change tokens, accounts, favorites, thumbnails, sharing.
enum ExtendedCases {
    static let all = general + tokens + accounts + favorites + details + sharing

    private static let general = [
        ContractCase(.extended, "the volume's capacity is at least what is used of it") { trial in
            try await trial.arrange(file: trial.path("file"), sample(1_000))
            guard let volume = try await trial.provider.storageProperties() else {
                return try expect(!trial.expectations.reportsVolume, "nothing is told")
            }
            try expect(trial.expectations.reportsVolume, "\(volume) is told")
            if let used = volume.usage { try expect(used >= 0, "\(used) bytes are used") }
            guard let total = volume.totalCapacity else { return }
            try expect(total > 0, "the capacity is \(total)")
            if let used = volume.usage { try expect(total >= used, "\(used) of \(total) bytes are used") }
            if let left = volume.availableCapacity {
                try expect((0...total).contains(left), "\(left) of \(total) left")
            }
        },
        ContractCase(.extended, "a copy of a provider serves the same storage, with a context of its own") { trial in
            try await trial.arrange(file: trial.path("file"))
            let delegate = RecordingDelegate()
            trial.provider.context.delegate = delegate
            let copy = trial.provider.copy()
            try expectEqual(copy.identity, trial.provider.identity, "identity")
            try expect(copy.context !== trial.provider.context, "it shares its context")
            try expect(copy.context.delegate == nil, "it took over the delegate")
            try expectEqual(try await copy.attributesOfItem(path: trial.path("file")).name, "file", "name")
            withExtendedLifetime(delegate) {}
        },
        ContractCase(.extended, "two providers of one storage have one identity") { trial in
            let other = try await trial.anotherProvider(as: (any FileProviderBasic).self)
            try expectEqual(other.identity, trial.provider.identity, "identity")
            try expectEqual(trial.provider.identity.type, Swift.type(of: trial.provider).type, "the identity's type")
            try expect(trial.provider.identity.sharesStorage(with: other.identity), "they do not share storage")
        },
        ContractCase(.extended, "a provider of another server is of another storage", needs: [.remote]) { trial in
            // Otherwise a copy from one to the other would be left to a server that has other files at these paths.
            guard let unreachable = trial.expectations.unreachable else { return }
            let other = try await unreachable()
            try expect(!trial.provider.identity.sharesStorage(with: other.identity), "they share storage")
        },
        ContractCase(.extended, "a path becomes a URL and the URL the path again") { trial in
            for name in OddNames.all {
                let path = trial.path(name)
                let url = trial.provider.url(of: path)
                try expectEqual(trial.provider.relativePathOf(url: url), path, "path of \(url)")
            }
            try expectEqual(
                trial.provider.relativePathOf(url: trial.provider.url(of: .root)), .root, "path of the root's URL")
        },
        ContractCase(.extended, "a URL from elsewhere has no path here") { trial in
            guard trial.provider.baseURL != nil else { return }
            for text in ["ftp://elsewhere.invalid/x", "unknown:x"] {
                let url = try expectValue(URL(string: text), "a URL")
                try expectEqual(trial.provider.relativePathOf(url: url), nil, "path of \(text)")
            }
        },
        ContractCase(.extended, "a URL that climbs out of the root has no path here") { trial in
            let root = trial.provider.url(of: .root).absoluteString
            guard root.hasSuffix("/") else { return try expectEqual(trial.provider.baseURL, nil, "base URL") }
            for climb in ["../x", "%2e%2e/x", "a/../../x", "a/%2E%2E/%2e./x", "a%2F..%2F..%2Fx"] {
                let url = try expectValue(URL(string: root + climb), "a URL")
                try expectEqual(trial.provider.relativePathOf(url: url), nil, "path of \(url)")
            }
        },
        ContractCase(.extended, "no credential shows in a provider's identity or URL") { trial in
            let secrets: [String] =
                switch trial.provider.credential {
                case .password(_, let password): [password]
                case .bearer(let token): [token]
                case .oauth2(let tokens): [tokens.accessToken, tokens.refreshToken].compactMap { $0 }
                case nil: []
                }
            let shown = [
                "identity": "\(trial.provider.identity)", "URL": "\(trial.provider.url(of: trial.path("x")))",
                "description": "\(trial.provider)",
            ]
            for secret in secrets where !secret.isEmpty {
                for (what, text) in shown {
                    try expect(!text.contains(secret), "the secret, or a word that it is, shows in the \(what)")
                }
            }
        },
        ContractCase(
            .extended, "a provider made again from its stored configuration is of the same storage",
            needs: [.configuration]
        ) { trial in
            try checkConfiguration(of: try trial.provider(as: (any ConfigurableFileProvider).self))
        },
        ContractCase(
            .extended, "a file that is open to this machine has the file's bytes", needs: [.localAccess, .reading]
        ) { trial in
            let provider = try trial.provider(as: (any FileProviderLocalAccess).self)
            try await trial.arrange(file: trial.path("file"), sample(5_000))
            try await trial.arrange(directory: trial.path("d"))
            let file = try await provider.openLocalFile(path: trial.path("file"))
            try expectEqual(try file.read(at: 0, count: 10_000), sample(5_000))
            try await expectError(.noSuchFile) { try await provider.openLocalFile(path: trial.path("missing")) }
            try await expectError(.isADirectory) { try await provider.openLocalFile(path: trial.path("d")) }
        },
    ]

    private static func checkConfiguration<Provider: ConfigurableFileProvider>(of provider: Provider) throws {
        let stored = try JSONEncoder().encode(provider.configuration)
        let configuration = try JSONDecoder().decode(Provider.Configuration.self, from: stored)
        try expectEqual(configuration, provider.configuration, "the configuration, stored and read again")
        try expect(!Provider.schemes.isEmpty, "it has no URL scheme")
        try expectEqual(Provider.schemes, Provider.schemes.map { $0.lowercased() }, "schemes in lower case")
        guard provider.baseURL != nil else { return }
        let again = try Provider(configuration: configuration, credential: provider.credential)
        try expectEqual(again.identity, provider.identity, "identity")
        let path: ItemPath = "a/b %20é"
        let read = try Provider.configuration(for: provider.url(of: path))
        let whole = try Provider(configuration: read.configuration, credential: provider.credential)
        try expect(whole.identity.sharesStorage(with: provider.identity), "its URL means other storage")
        try expect("\(read.path)".hasSuffix("\(path)"), "its URL means \(read.path)")
    }
}
