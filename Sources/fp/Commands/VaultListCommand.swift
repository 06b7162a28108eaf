import ArgumentParser
import CloudCore
import FileProviders

/// `fp vault ls`.
struct VaultListCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List a directory as the vault knows it. Nothing is asked of the server.",
        discussion: """
            -l shows where each item's contents are: cloudOnly, localCopy, locallyModified or localOnly.
            A vault that has never listed anything is an error, not an empty one.

            Examples:
              fp vault ls cloud:/
              fp vault ls -l cloud:/notes
            """)

    @Argument(help: "Directories or files of remotes that have a vault: NAME:path.")
    var locations: [VaultArgument]

    @Flag(name: .short, help: "Show type, status, size and time.")
    var long = false

    @Flag(help: "Write one JSON object per item.")
    var json = false

    func run(in invocation: Invocation) async throws {
        for location in locations {
            try await invocation.withVault(location.location, alone: true) { vault in
                let item = try await vault.existing(vault.path)
                let items = item.isDirectory ? try await vault.core.children(of: item.localID) : [item]
                if item.isDirectory, locations.count > 1, !json { try writeHeading(vault.location, invocation.output) }
                try write(items, of: vault, to: invocation.output)
                try await vault.requireListed()
                try await vault.requireListed(item)
            }
        }
    }

    /// Writes a heading with the folder's location.
    private func writeHeading(_ folder: Location, _ output: StandardOutput) throws {
        if output.count > 0 { try output.write("\n") }
        try output.write(output.shown(folder.text))
        try output.write(":\n")
    }

    private func write(_ items: [Item], of vault: OpenVault, to output: StandardOutput) throws {
        if json {
            for item in items {
                var line = JSONLine()
                line.add(item, path: vault.name(of: item.path))
                try output.write(line.line)
            }
            return
        }
        var table = TextTable([.left, .left, .right, .left])
        for item in items {
            table.add([
                item.isDirectory ? "d" : item.type == .symbolicLink ? "l" : "-", item.cloudStatus.rawValue,
                item.size.map { "\($0)" } ?? "-",
                item.modificationTime.map(Timestamp.minute) ?? "-",
            ])
        }
        for (item, columns) in zip(items, table.lines) {
            let name = output.shown(item.itemName.bytes) + (item.isDirectory ? [UInt8(ascii: "/")] : [])
            try output.write((long ? Array((columns + "  ").utf8) : []) + name + [UInt8(ascii: "\n")])
        }
    }
}
