import ArgumentParser
import FileProviders

/// `fp trash`.
struct TrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Move things to the trash, and take them back.",
        discussion: """
            Examples:
              fp trash put old.txt
              fp trash list
              fp trash restore ID
            """,
        subcommands: [Put.self, Items.self, Restore.self, Empty.self])

    /// `fp trash put`.
    struct Put: InvokedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move items to the trash.",
            discussion: """
                Examples:
                  fp trash put old.txt cloud:drafts/old.odt
                """)

        @Argument(help: "What to remove.")
        var locations: [LocationArgument]

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.forEach(locations) { endpoint in
                guard !endpoint.isNamedByDots else {
                    throw Refusal(
                        endpoint.location.description, "“.” and “..” cannot be moved to the trash", isAboutAccess: false
                    )
                }
                _ = try await endpoint.trash().trash(path: endpoint.path)
            }
        }
    }

    /// `fp trash list`.
    struct Items: InvokedCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the trash, newest first.",
            discussion: """
                Examples:
                  fp trash list
                  fp trash list cloud:
                """)

        @Argument(help: "A location on the storage; the working directory by default.")
        var location = LocationArgument.here

        @Flag(help: "Write one JSON object per item.")
        var json = false

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.with(location) { endpoint in
                var table = TextTable([.left, .right, .left, .left])
                for item in try await endpoint.trash().trashedItems() {
                    if json { try invocation.output.write(line(item)) }
                    let deleted = item.deletionDate.map { Timestamp.minute(FileTime($0)) } ?? "-"
                    let size = item.size.map { String($0) } ?? "-"
                    let path = item.originalPath.map { ShownName.escaped($0.description) } ?? "-"
                    table.add([deleted, size, ShownName.escaped(item.id), path])
                }
                if !json { try table.lines.forEach(invocation.output.line) }
            }
        }

        private func line(_ item: TrashedItem) -> [UInt8] {
            var line = JSONLine()
            line.add("id", item.id)
            if let path = item.originalPath { line.add("path", exact: [UInt8(ascii: "/")] + path.bytes) }
            line.add("size", item.size)
            line.add("deleted", item.deletionDate.map { Timestamp.rfc3339(FileTime($0)) })
            return line.line
        }
    }

    /// `fp trash restore`.
    struct Restore: InvokedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put an item back where it was.",
            discussion: """
                Examples:
                  fp trash restore ID cloud:
                """)

        @Argument(help: "The item, as `fp trash list` names it.")
        var id: String

        @Argument(help: "A location on the storage; the working directory by default.")
        var location = LocationArgument.here

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.with(location) { endpoint in
                let trash = try endpoint.trash()
                try await trash.restore(try await trash.item(id), to: nil)
            }
        }
    }

    /// `fp trash empty`.
    struct Empty: InvokedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove what is in the trash for good.",
            discussion: """
                Examples:
                  fp trash empty
                  fp trash empty --id ID cloud:
                """)

        @Argument(help: "A location on the storage; the working directory by default.")
        var location = LocationArgument.here

        @Option(help: "Only this item, as `fp trash list` names it.")
        var id: String?

        @OptionGroup var access: AccessOptions

        func run(in invocation: Invocation) async throws {
            try await invocation.with(location) { endpoint in
                let trash = try endpoint.trash()
                let item: TrashedItem? = if let id { try await trash.item(id) } else { nil }
                try await trash.emptyTrash(item)
            }
        }
    }
}

extension Endpoint {
    fileprivate func trash() throws -> any TrashProvider { try capability(.trash, as: (any TrashProvider).self) }
}

extension TrashProvider {
    /// Returns the trashed item with that name.
    fileprivate func item(_ id: String) async throws -> TrashedItem {
        guard let item = try await trashedItems().first(where: { $0.id == id }) else {
            throw Refusal(
                ShownName.escaped(id), "no such item in the trash", remedy: "see `fp trash list`", isAboutAccess: false)
        }
        return item
    }
}
