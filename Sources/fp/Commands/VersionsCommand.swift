import ArgumentParser
import FileProviders

/// `fp versions`.
struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List a file's earlier versions, read them, and take one back.",
        discussion: """
            Examples:
              fp versions cloud:report.odt
              fp versions cat cloud:report.odt ID > old.odt
              fp versions restore cloud:report.odt ID
            """,
        subcommands: [Items.self, Cat.self, Restore.self],
        defaultSubcommand: Items.self)

    /// `fp versions list`, and `fp versions` alone.
    struct Items: InvokedCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List a file's earlier versions, newest first.",
            discussion: """
                Examples:
                  fp versions cloud:report.odt
                """)

        @Argument(help: "A file on a storage that keeps versions.")
        var location: LocationArgument

        @Flag(help: "Write one JSON object per version.")
        var json = false

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.with(location) { endpoint in
                var table = TextTable([.left, .right, .left])
                for version in try await endpoint.versions().versions(path: endpoint.path) {
                    if json { try invocation.output.write(line(version)) }
                    table.add([
                        version.modificationTime.map(Timestamp.minute) ?? "-",
                        version.size.map { String($0) } ?? "-", ShownName.escaped(version.id),
                    ])
                }
                if !json { try table.lines.forEach(invocation.output.line) }
            }
        }

        private func line(_ version: FileVersionRecord) -> [UInt8] {
            var line = JSONLine()
            line.add("id", version.id)
            line.add("size", version.size)
            line.add("modified", version.modificationTime.map(Timestamp.rfc3339))
            return line.line
        }
    }

    /// `fp versions cat`.
    struct Cat: InvokedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write an earlier version to standard output.",
            discussion: """
                Examples:
                  fp versions cat cloud:report.odt ID > old.odt
                """)

        @OptionGroup var version: VersionArguments

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.with(version.location) { endpoint in
                let provider = try endpoint.versions()
                let version = try await provider.version(version.id, of: endpoint.path)
                for try await chunk in try await provider.read(version, of: endpoint.path, in: OperationContext()) {
                    try invocation.output.write(Array(chunk))
                }
            }
        }
    }

    /// `fp versions restore`.
    struct Restore: InvokedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an earlier version the present one, which becomes an earlier one itself.",
            discussion: """
                Examples:
                  fp versions restore cloud:report.odt ID
                """)

        @OptionGroup var version: VersionArguments

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.with(version.location) { endpoint in
                let provider = try endpoint.versions()
                let version = try await provider.version(version.id, of: endpoint.path)
                try await provider.restore(version, of: endpoint.path)
            }
        }
    }
}

/// One earlier version of a file.
struct VersionArguments: ParsableArguments {
    @Argument(help: "A file on a storage that keeps versions.")
    var location: LocationArgument

    @Argument(help: "The version, as `fp versions` names it.")
    var id: String
}

extension Endpoint {
    fileprivate func versions() throws -> any VersionProvider {
        try capability(.versions, as: (any VersionProvider).self)
    }
}

extension VersionProvider {
    /// Returns the earlier version with that name.
    fileprivate func version(_ id: String, of path: ItemPath) async throws -> FileVersionRecord {
        guard let version = try await versions(path: path).first(where: { $0.id == id }) else {
            throw Refusal(
                ShownName.escaped(id), "no such version of this file", remedy: "see `fp versions`",
                isAboutAccess: false)
        }
        return version
    }
}
