import FileProviding
import Foundation

extension ContractCapability {
    /// Checks that the provider really lacks what its subject declares missing.
    func assertAbsent(in trial: ContractTrial) throws {
        try expect(
            !isConformed(by: trial.provider),
            "\(trial.subject) is declared to lack \(rawValue), but its provider conforms to the protocol; "
                + "if its server has no \(rawValue), that belongs into the expectations' `refuses`")
    }

    /// Checks that the provider refuses what its server lacks, without sending anything to find out.
    func assertRefused(in trial: ContractTrial) async throws {
        try expect(isConformed(by: trial.provider), "\(trial.subject) is declared to refuse \(rawValue), but lacks it")
        let told = try await trial.provider.capabilities(path: trial.directory)
        try expect(self.told.map { !told.contains($0) } ?? true, "the provider tells that it can do it")
        let before = trial.requestCount
        try await attemptRefused(in: trial)
        try expectEqual(trial.requestCount, before, "requests sent before refusing \(rawValue)")
    }

    private func attemptRefused(in trial: ContractTrial) async throws {
        let path = trial.path("refused")
        let other = trial.path("refused as well")
        switch self {
        case .reading:
            try await expectError(.unsupported) { try await trial.readWrite.read(path: path) }
        case .writing:
            try await expectError(.unsupported) { try await trial.write(path, Data()) }
        case .creating:
            try await expectError(.unsupported) { try await trial.operations.createDirectory(path: path) }
        case .copying:
            try await expectError(.unsupported) { try await trial.operations.copyItem(path: path, to: other) }
        case .moving:
            try await expectError(.unsupported) { try await trial.operations.moveItem(path: path, to: other) }
        case .removing:
            try await expectError(.unsupported) { try await trial.operations.removeItem(path: path) }
        case .symbolicLinks:
            let provider = try trial.provider(as: (any FileProviderSymbolicLink).self)
            try await expectError(.unsupported) {
                try await provider.create(symbolicLink: path, withDestinationPath: "x")
            }
        case .partialWrites:
            let provider = try trial.provider(as: (any FileProviderPartialWrite).self)
            try await expectError(.unsupported) {
                try await provider.beginPartialWrite(path: path, length: 1, resuming: nil, in: OperationContext())
            }
        case .monitoring:
            let provider = try trial.provider(as: (any FileProviderMonitor).self)
            try await expectError(.unsupported) { try await provider.changes(path: trial.directory, recursive: true) }
        case .trash:
            let provider = try trial.provider(as: (any TrashProvider).self)
            try await expectError(.unsupported) { try await provider.trashedItems() }
        case .publicLinks, .shares:
            let provider = try trial.provider(as: (any FileProviderSharing).self)
            try await expectError(.unsupported) { try await provider.publicLink(to: path) }
        case .undoing:
            let provider = try trial.provider(as: (any FileProviderUndoable).self)
            try expect(!provider.canUndo(.create(path)), "it says that it can undo")
        case .details:
            let provider = try trial.provider(as: (any ExtendedFileProvider).self)
            try expect(!provider.thumbnailOfFileSupported(path: trial.path("a.png")), "it says that it has thumbnails")
        case .settingAttributes:
            let provider = try trial.provider(as: (any AttributeProvider).self)
            let attributes = ItemAttributes(modificationTime: FileTime(seconds: 1))
            try await expectError(.unsupported) { try await provider.setAttributes(attributes, of: path) }
        case .favorites:
            let provider = try trial.provider(as: (any FavoriteProvider).self)
            try await expectError(.unsupported) { try await provider.setFavorite(true, path: path) }
        case .checksums:
            let provider = try trial.provider(as: (any ChecksumProvider).self)
            try expect(provider.checksumAlgorithms.isEmpty, "it says that it knows hashes")
        case .accounts:
            let provider = try trial.provider(as: (any AccountProvider).self)
            try await expectError(.unsupported) { try await provider.account() }
        case .versions:
            let provider = try trial.provider(as: (any VersionProvider).self)
            try await expectError(.unsupported) { try await provider.versions(path: path) }
        case .spaces:
            let provider = try trial.provider(as: (any SpaceProvider).self)
            try await expectError(.unsupported) { try await provider.spaces() }
        case .changeTokens:
            let provider = try trial.provider(as: (any ChangeTokenProvider).self)
            try await expectError(.unsupported) { try await provider.changeToken(path: trial.directory) }
        case .localAccess, .configuration, .remote:
            throw ContractFailure("\(rawValue) cannot be refused, only lacked")
        }
    }
}
