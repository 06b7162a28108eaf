import FileProviding
import Foundation

extension AttributeCases {
    private static let needs: [ContractCapability] = [.settingAttributes]

    static let setting = [
        ContractCase(.attributes, "a time that is set is kept, and nothing else changes", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"), sample(5_000))
            try await trial.arrange(directory: trial.path("directory"))
            let precision = try expectValue(trial.expectations.settableTimePrecision, "the settable precision")
            let time = FileTime(nanoseconds: 981_173_106_123_456_789)
            for path in [trial.path("file"), trial.path("directory")] {
                let before = try await trial.provider.attributesOfItem(path: path)
                let told = try await change(path, ItemAttributes(modificationTime: time), trial)
                let kept = try expectValue(told.modificationTime, "the time")
                try expect(
                    (kept.nanoseconds - time.nanoseconds).magnitude < precision.magnitude,
                    "\(time.nanoseconds) became \(kept.nanoseconds), precision \(precision)")
                try expectEqual(told.permissions, before.permissions, "permissions")
                try expectEqual(told.fileID, before.fileID, "identifier")
                try expectEqual(told.size, before.size, "size")
            }
            try await trial.expectFile(trial.path("file"), holds: sample(5_000))
        },
        ContractCase(.attributes, "permissions that are set are kept where there are any", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            let before = try await trial.provider.attributesOfItem(path: trial.path("file"))
            for permissions in [0o600, 0o755] as [UInt16] where trial.expectations.keepsPermissions {
                let told = try await change(trial.path("file"), ItemAttributes(permissions: permissions), trial)
                try expectEqual(told.permissions, permissions, "permissions")
                try expectEqual(told.modificationTime, before.modificationTime, "time")
            }
        },
        ContractCase(.attributes, "no attributes change nothing", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            let before = try await trial.provider.attributesOfItem(path: trial.path("file"))
            try expectSame(try await change(trial.path("file"), ItemAttributes(), trial), before)
        },
        ContractCase(.attributes, "a missing item is given no attributes, and does not appear", needs: needs) { trial in
            let attributes = ItemAttributes(modificationTime: FileTime(seconds: 1_500_000_000))
            for path in ["missing", "missing/too"] {
                try await expectError(.noSuchFile) { try await change(trial.path(path), attributes, trial) }
                try await trial.expectMissing(trial.path(path))
            }
        },
        ContractCase(
            .attributes, "a link is given no attributes, nor is what it points to", needs: needs + [.symbolicLinks]
        ) {
            trial in
            try await trial.arrange(file: trial.path("file"))
            let links = try trial.provider(as: (any FileProviderSymbolicLink).self)
            try await links.create(symbolicLink: trial.path("link"), withDestinationPath: "file")
            let before = try await trial.provider.attributesOfItem(path: trial.path("file"))
            let attributes = ItemAttributes(modificationTime: FileTime(seconds: 1))
            try await expectError(.unsupported) { try await change(trial.path("link"), attributes, trial) }
            try expectSame(try await trial.provider.attributesOfItem(path: trial.path("file")), before)
        },
    ]

    /// Changes attributes, and checks that the reported item is then correct.
    private static func change(
        _ path: ItemPath, _ attributes: ItemAttributes, _ trial: ContractTrial
    ) async throws -> FileObject {
        let told = try await trial.provider(as: (any AttributeProvider).self).setAttributes(attributes, of: path)
        try expectTrue(told, of: try await trial.provider.attributesOfItem(path: path))
        return told
    }
}
