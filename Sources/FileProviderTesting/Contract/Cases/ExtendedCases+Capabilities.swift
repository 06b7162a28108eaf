import FileProviding
import Foundation

extension ExtendedCases {
    static let tokens = [
        ContractCase(
            .extended, "a directory's change token stays, and changes with its entries", needs: [.changeTokens]
        ) {
            trial in
            let provider = try trial.provider(as: (any ChangeTokenProvider).self)
            try await trial.arrange(file: trial.path("d/e/file"))
            let first = try await provider.changeToken(path: trial.path("d"))
            try expectEqual(try await provider.changeToken(path: trial.path("d")), first, "token without a change")
            try await trial.arrange(file: trial.path("d/new"))
            let second = try await provider.changeToken(path: trial.path("d"))
            try expect(second != first, "a new entry leaves the token as it is")
            guard first.propagates else { return }
            try await trial.arrange(file: trial.path("d/e/file"), Data("changed below".utf8))
            try expect(try await provider.changeToken(path: trial.path("d")) != second, "a change below is not seen")
        },
        ContractCase(.extended, "a missing directory has no change token", needs: [.changeTokens]) { trial in
            let provider = try trial.provider(as: (any ChangeTokenProvider).self)
            try await expectError(.noSuchFile) { try await provider.changeToken(path: trial.path("missing")) }
        },
        ContractCase(.extended, "a file's hashes are those of its bytes", needs: [.checksums, .reading]) { trial in
            let provider = try trial.provider(as: (any ChecksumProvider).self)
            try expectEqual(Set(provider.checksumAlgorithms), trial.expectations.checksums, "hashes that are told")
            try await trial.arrange(file: trial.path("file"), Data("The provider contract\n".utf8))
            for algorithm in Checksum.Algorithm.allCases {
                let told = try await provider.checksum(path: trial.path("file"), algorithm: algorithm)
                if let told { try expectEqual(told, Checksum(algorithm, hex: knownHash(algorithm)), "\(algorithm)") }
                try expect(
                    told != nil || !trial.expectations.checksums.contains(algorithm), "\(algorithm) is not told")
            }
            try await expectError(.noSuchFile) {
                try await provider.checksum(path: trial.path("missing"), algorithm: provider.checksumAlgorithms[0])
            }
        },
        ContractCase(.extended, "hashes in attributes and listings are those of the bytes") { trial in
            try await trial.arrange(file: trial.path("file"), Data("The provider contract\n".utf8))
            let listed = try await trial.provider.contentsOfDirectory(path: trial.directory)
            for item in listed + [try await trial.provider.attributesOfItem(path: trial.path("file"))] {
                for told in item.checksums where item.name == "file" {
                    try expectEqual(told, Checksum(told.algorithm, hex: knownHash(told.algorithm)), "\(told.algorithm)")
                }
            }
        },
    ]

    /// Returns the hashes of `The provider contract` and a line feed, as computed by coreutils and zlib.
    private static func knownHash(_ algorithm: Checksum.Algorithm) -> String {
        switch algorithm {
        case .adler32: "5fa00835"
        case .md5: "53b4c84e5cb3bd1eb4c41874b009bcaf"
        case .sha1: "6fadc0d6691f3e38c341f0a912cc18eb2f66f5c9"
        case .sha256: "a675b1c41df1bed94d0fe6fa5c99515b24b7ecba3e348767bedfde6099242557"
        case .sha512:
            "8f8b4216e3fe8666dbf8433eda6f884a5bcda2f3e57a68cd70a51c7c82f1bd61"
                + "2245f432ff7b2860d685233589c9a35b82f950282fe5c80e75db29e2e300d20e"
        }
    }

    static let accounts = [
        ContractCase(.extended, "the account has an identifier and a name", needs: [.accounts]) { trial in
            let account = try await trial.provider(as: (any AccountProvider).self).account()
            try expect(!account.id.isEmpty && !account.displayName.isEmpty, "it is \(account)")
        }
    ]

    static let favorites = [
        ContractCase(.extended, "a mark stays until it is taken away, and is found", needs: [.favorites, .creating]) {
            trial in
            let provider = try trial.provider(as: (any FavoriteProvider).self)
            let (file, directory) = (trial.path("d/a file é"), trial.path("d"))
            try await trial.arrange(file: file)
            try await trial.arrange(file: trial.path("d/other"))
            for _ in 1...2 { try await provider.setFavorite(true, path: file) }
            try await provider.setFavorite(true, path: directory)
            let found = try await provider.favorites(below: trial.directory)
            try expectEqual(Set(found.map(\.path)), [file, directory], "marked items")
            try expectEqual(found.first { $0.path == directory }?.isDirectory, true, "the directory is one")
            try expectEqual(try await provider.favorites(below: directory).map(\.path), [file], "below the directory")
            for path in [file, directory] {
                for _ in 1...2 { try await provider.setFavorite(false, path: path) }
            }
            try expectEqual(try await provider.favorites(below: trial.directory).count, 0, "marks that were taken away")
        },
        ContractCase(.extended, "a missing item gets no mark", needs: [.favorites]) { trial in
            let provider = try trial.provider(as: (any FavoriteProvider).self)
            try await expectError(.noSuchFile) { try await provider.setFavorite(true, path: trial.path("missing")) }
            try await expectError(.noSuchFile) { _ = try await provider.favorites(below: trial.path("missing")) }
            try await trial.expectMissing(trial.path("missing"))
        },
    ]

    static let details = [
        ContractCase(.extended, "a type without thumbnails is refused by its extension alone", needs: [.details]) {
            trial in
            let provider = try trial.provider(as: (any ExtendedFileProvider).self)
            let path = trial.path("missing.no-such-type")
            try expect(!provider.thumbnailOfFileSupported(path: path), "it says that it has thumbnails of anything")
            try expect(!provider.propertiesOfFileSupported(path: path), "it says that it has properties of anything")
            let before = trial.requestCount
            try await expectError(.unsupported) { try await provider.thumbnailOfFile(path: path, dimension: nil) }
            try await expectError(.unsupported) { try await provider.propertiesOfFile(path: path) }
            try expectEqual(trial.requestCount, before, "requests sent before refusing")
        },
        ContractCase(.extended, "a thumbnail fits into the requested size", needs: [.details]) { trial in
            let provider = try trial.provider(as: (any ExtendedFileProvider).self)
            let path = trial.path("picture.png")
            try await trial.arrange(file: path, Self.picture)
            guard provider.thumbnailOfFileSupported(path: path) else { return }
            let size = PixelSize(width: 4, height: 4)
            let thumbnail = try await provider.thumbnailOfFile(path: path, dimension: size)
            try expect(
                !thumbnail.data.isEmpty && thumbnail.mediaType.hasPrefix("image/"), "it is \(thumbnail.mediaType)")
            guard let told = thumbnail.size else { return }
            try expect(told.width <= size.width && told.height <= size.height, "it is \(told)")
        },
        ContractCase(.extended, "a missing file has neither thumbnail nor properties", needs: [.details]) { trial in
            let provider = try trial.provider(as: (any ExtendedFileProvider).self)
            let path = trial.path("missing.png")
            if provider.thumbnailOfFileSupported(path: path) {
                try await expectError(.noSuchFile) { try await provider.thumbnailOfFile(path: path, dimension: nil) }
            }
            if provider.propertiesOfFileSupported(path: path) {
                try await expectError(.noSuchFile) { try await provider.propertiesOfFile(path: path) }
            }
        },
        ContractCase(.extended, "properties have each key once, in order", needs: [.details]) { trial in
            let provider = try trial.provider(as: (any ExtendedFileProvider).self)
            let path = trial.path("picture.png")
            try await trial.arrange(file: path, Self.picture)
            guard provider.propertiesOfFileSupported(path: path) else { return }
            let keys = try await provider.propertiesOfFile(path: path).keys
            try expectEqual(keys.count, Set(keys).count, "different keys")
            try expectEqual(try await provider.propertiesOfFile(path: path).keys, keys, "keys, asked for again")
        },
    ]

    static let sharing = [
        ContractCase(.extended, "a file and a directory get public links", needs: [.publicLinks]) { trial in
            let provider = try trial.provider(as: (any FileProviderSharing).self)
            try await trial.arrange(file: trial.path("d/file"))
            for path in [trial.path("d/file"), trial.path("d")] {
                let link = try await provider.publicLink(to: path)
                try expect(link.url.scheme != nil, "\(link.url) is no whole URL")
                if let end = link.expiration { try expect(end > Date(), "it ended already, at \(end)") }
                if let file = link.file { try expectEqual(file.path, path, "the shared item") }
            }
        },
        ContractCase(.extended, "a missing item gets no public link", needs: [.publicLinks]) { trial in
            let provider = try trial.provider(as: (any FileProviderSharing).self)
            try await expectError(.noSuchFile) { try await provider.publicLink(to: trial.path("missing")) }
        },
    ]

    /// A PNG of eight by eight black pixels.
    private static let picture =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR4nGNg"
                + "oA4AAABIAAEuuDx+AAAAAElFTkSuQmCC") ?? Data()
}
