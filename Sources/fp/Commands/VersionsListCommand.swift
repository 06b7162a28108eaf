import ArgumentParser
import FileProviders

/// `fp versions list`, and `fp versions` alone.
struct VersionsListCommand: InvokedCommand {
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
