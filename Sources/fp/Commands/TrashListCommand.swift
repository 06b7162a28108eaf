import ArgumentParser
import FileProviders

/// `fp trash list`.
struct TrashListCommand: InvokedCommand {
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
