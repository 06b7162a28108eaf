import FileProviding
import Foundation

/// Symbolic links: described as themselves, followed only within the root.
enum LinkCases {
    static let all = describing + following + leaving

    private static let needs: [ContractCapability] = [.symbolicLinks, .reading, .writing, .removing]

    private static let describing = [
        ContractCase(.links, "a link says what it points to, exactly", needs: needs) { trial in
            let targets: [LinkTarget] = [
                "file", "../x/y", "/absolute", "gone", "a b %41é", LinkTarget(bytes: [0xFF, 0xFE]),
            ]
            for (index, target) in targets.enumerated() {
                try await links(trial).create(symbolicLink: trial.path("link \(index)"), withDestinationPath: target)
                try expectEqual(
                    try await links(trial).destination(ofSymbolicLink: trial.path("link \(index)")), target, "target")
            }
        },
        ContractCase(.links, "a link is listed and described as one, not as what it points to", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"), sample(5_000))
            try await link(trial, "link", to: "file")
            let described = try await trial.provider.attributesOfItem(path: trial.path("link"))
            try expectEqual(described.type, .symbolicLink, "type")
            try expectEqual(described.linkTarget, "file", "target")
            let listed = try await trial.provider.contentsOfDirectory(path: trial.directory).filter(\.isSymLink)
            try expectEqual(listed.map(\.name), ["link"], "links listed")
            try expectSame(listed[0], described)
        },
        ContractCase(.links, "a broken link keeps its own attributes", needs: needs) { trial in
            try await link(trial, "broken", to: "nothing")
            let described = try await trial.provider.attributesOfItem(path: trial.path("broken"))
            try expectEqual(described.type, .symbolicLink, "type")
            try await trial.expectEntries(of: trial.directory, are: ["broken"])
            try await expectError(.noSuchFile) { try await trial.read(trial.path("broken")) }
        },
        ContractCase(.links, "a link is not created over anything", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
            try await trial.arrange(directory: trial.path("d"))
            try await link(trial, "link", to: "file")
            for name in ["file", "d", "link"] {
                try await expectError(.exists, name) { try await link(trial, name, to: "elsewhere") }
            }
            try await expectError(.noSuchFile) { try await link(trial, "missing/link", to: "file") }
            try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
        },
        ContractCase(.links, "only a link has a destination", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            try await expectError(.any) { try await links(trial).destination(ofSymbolicLink: trial.path("file")) }
            try await expectError(.noSuchFile) {
                try await links(trial).destination(ofSymbolicLink: trial.path("missing"))
            }
        },
    ]

    private static let following = [
        ContractCase(.links, "a link to a file reads as the file", needs: needs) { trial in
            try await trial.arrange(file: trial.path("d/file"), Data("behind".utf8))
            try await link(trial, "link", to: "d/file")
            try await link(trial, "second", to: "link")
            try expectEqual(try await trial.read(trial.path("link")), Data("behind".utf8))
            try expectEqual(try await trial.read(trial.path("second")), Data("behind".utf8))
        },
        ContractCase(.links, "a path may lead through a link to a directory", needs: needs) { trial in
            try await trial.arrange(file: trial.path("d/file"), Data("behind".utf8))
            try await link(trial, "link", to: "d")
            try expectEqual(try await trial.read(trial.path("link/file")), Data("behind".utf8))
            try await trial.write(trial.path("link/new"), Data("new".utf8))
            try await trial.expectEntries(of: trial.path("d"), are: ["file", "new"])
        },
        ContractCase(.links, "a link to a directory, with a slash behind it, is that directory", needs: needs) {
            trial in
            try await trial.arrange(file: trial.path("d/file"))
            try await trial.arrange(file: trial.path("file"))
            for (name, target) in [("to d", "d"), ("to file", "file"), ("broken", "nothing")] {
                try await link(trial, name, to: LinkTarget(target))
            }
            let directory = try await trial.provider.attributesOfItem(path: trial.path("to d").asDirectory)
            try expectEqual(directory.type, .directory, "type")
            for name in ["to file", "broken"] {
                try await expectError(.any, name) {
                    try await trial.provider.attributesOfItem(path: trial.path(name).asDirectory)
                }
            }
        },
        ContractCase(.links, "a recursive listing does not follow links", needs: needs) { trial in
            try await trial.arrange(file: trial.path("d/file"))
            try await link(trial, "d/up", to: "..")
            try await link(trial, "beside", to: "d")
            let found = try await trial.provider.recursiveListing(path: trial.directory).collect().map(\.path)
            try expectEqual(found.sorted(), ["beside", "d", "d/file", "d/up"].map(trial.path).sorted(), "items found")
        },
        ContractCase(.links, "links inside a removed directory are removed, never followed", needs: needs) { trial in
            try await trial.arrange(file: trial.path("kept/file"), Data("kept".utf8))
            try await trial.arrange(file: trial.path("gone/file"))
            try await link(trial, "gone/link", to: "../kept")
            try await link(trial, "gone/file link", to: "../kept/file")
            try await trial.operations.removeItem(path: trial.path("gone"))
            try await trial.expectFile(trial.path("kept/file"), holds: Data("kept".utf8))
            try await trial.expectEntries(of: trial.directory, are: ["kept"])
        },
        ContractCase(.links, "removing a link leaves what it points to", needs: needs) { trial in
            try await trial.arrange(file: trial.path("d/file"))
            try await link(trial, "link", to: "d")
            try await link(trial, "broken", to: "nothing")
            for name in ["link", "broken"] { try await trial.operations.removeItem(path: trial.path(name)) }
            try await trial.expectEntries(of: trial.directory, are: ["d"])
            try await trial.expectEntries(of: trial.path("d"), are: ["file"])
        },
        ContractCase(.links, "links that go round are an error, not an endless walk", needs: needs) { trial in
            try await link(trial, "a", to: "b")
            try await link(trial, "b", to: "a")
            try await expectError(.any) { try await trial.read(trial.path("a")) }
            try await expectError(.any) { try await trial.write(trial.path("a/file"), Data()) }
            try await trial.expectEntries(of: trial.directory, are: ["a", "b"])
        },
        ContractCase(.links, "copying and moving take the link itself", needs: needs + [.copying, .moving]) { trial in
            try await trial.arrange(file: trial.path("file"), Data("behind".utf8))
            try await link(trial, "link", to: "file")
            try await link(trial, "broken", to: "nothing")
            for (source, copied, moved) in [("link", "copy", "moved"), ("broken", "copied too", "moved too")] {
                try await trial.operations.copyItem(path: trial.path(source), to: trial.path(copied))
                try await trial.operations.moveItem(path: trial.path(source), to: trial.path(moved))
                let target = LinkTarget(source == "link" ? "file" : "nothing")
                for name in [copied, moved] {
                    try expectEqual(
                        try await links(trial).destination(ofSymbolicLink: trial.path(name)), target, "target")
                }
            }
            try await trial.expectFile(trial.path("file"), holds: Data("behind".utf8))
        },
        ContractCase(.links, "a copied directory's links are copied as links", needs: needs + [.copying]) { trial in
            try await trial.arrange(file: trial.path("d/file"))
            try await link(trial, "d/link", to: "file")
            try await link(trial, "d/up", to: "..")
            try await trial.operations.copyItem(path: trial.path("d"), to: trial.path("e"))
            try expectEqual(try await links(trial).destination(ofSymbolicLink: trial.path("e/link")), "file", "target")
            try await trial.expectEntries(of: trial.path("e"), are: ["file", "link", "up"])
        },
    ]

    private static let leaving = [
        ContractCase(.links, "a link that climbs out of the root is not followed", needs: needs) { trial in
            let up = String(repeating: "../", count: 64)
            try await link(trial, "out", to: LinkTarget(up))
            try await link(trial, "file", to: LinkTarget(up + "etc/hostname"))
            try await expectRefused(trial, directory: "out", file: "file")
        },
        ContractCase(.links, "a link to outside is not followed, whatever is there", needs: needs) { trial in
            try await withScratchFolder { folder in
                let secret = try folder.put("secret", Data("secret".utf8))
                try await link(trial, "out", to: LinkTarget(bytes: folder.path.bytes))
                try await link(trial, "file", to: LinkTarget(bytes: secret.bytes))
                try await expectRefused(trial, directory: "out", file: "file")
                try await expectError(.any) { try await trial.read(trial.path("out/secret")) }
                try await expectError(.any) {
                    try await trial.write(trial.path("out/secret"), Data("changed".utf8), overwrite: true)
                }
                try await expectError(.any) { try await trial.operations.removeItem(path: trial.path("out/secret")) }
                _ = try? await trial.write(trial.path("file"), Data("changed".utf8), overwrite: true)
                try expectEqual(try folder.bytes("secret"), Data("secret".utf8), "the file outside")
                try expectEqual(try folder.names, ["secret"], "files outside")
            }
        },
    ]

    private static func expectRefused(_ trial: ContractTrial, directory: String, file: String) async throws {
        try await expectError(.any) { try await trial.read(trial.path(file)) }
        try await expectError(.any) { try await trial.provider.contentsOfDirectory(path: trial.path(directory)) }
        try await expectError(.any) { try await trial.write(trial.path("\(directory)/new"), Data("x".utf8)) }
        try await expectError(.any) { try await trial.operations.createDirectory(path: trial.path("\(directory)/d")) }
        try expectEqual(
            try await trial.provider.attributesOfItem(path: trial.path(directory)).type, .symbolicLink, "type")
    }

    private static func links(_ trial: ContractTrial) throws -> any FileProviderSymbolicLink {
        try trial.provider(as: (any FileProviderSymbolicLink).self)
    }

    private static func link(_ trial: ContractTrial, _ name: String, to target: LinkTarget) async throws {
        try await links(trial).create(symbolicLink: trial.path(name), withDestinationPath: target)
    }
}
