import ArgumentParser
import FileProviders

/// `fp remote list`.
struct RemoteListCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the saved remotes.",
        discussion: """
            Examples:
              fp remote list
              fp remote list --json
            """)

    @Flag(help: "Write one JSON object per remote.")
    var json = false

    func run(in invocation: Invocation) async throws {
        try await invocation.supervise {
            var table = TextTable([.left, .left, .left])
            for entry in try invocation.access.remotes.entries() {
                let place = invocation.access.registry.location(of: entry)
                if json { try invocation.output.write(line(entry, place)) }
                table.add([ShownName.escaped(entry.name), entry.type, ShownName.escaped(place ?? "(unknown kind)")])
            }
            if !json { try table.lines.forEach(invocation.output.line) }
        }
    }

    private func line(_ entry: StoredProvider, _ place: String?) -> [UInt8] {
        var line = JSONLine()
        line.add("name", entry.name)
        line.add("type", entry.type)
        line.add("url", place)
        return line.line
    }
}
