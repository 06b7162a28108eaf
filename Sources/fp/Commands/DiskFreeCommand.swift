import ArgumentParser
import FileProviders

/// `fp df`.
struct DiskFreeCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "df",
        abstract: "Show how much room a storage has left.",
        discussion: """
            On servers with quotas, the account's quota. A storage that does not tell is an error.

            Examples:
              fp df -h .
              fp df --json davs://anna@cloud.example/dav/
            """,
        helpNames: .long)

    @Argument(help: "Items on the storages in question; the working directory by default.")
    var locations: [LocationArgument] = [.here]

    @Flag(help: "Write one JSON object per storage.")
    var json = false

    @OptionGroup var size: SizeOption
    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        var table = TextTable([.left, .right, .right, .right, .right, .left])
        table.add(["Name", "Size", "Used", "Free", "Use%", "Location"])
        var isEmpty = true
        try await invocation.forEach(locations) { endpoint in
            // A storage also reports its size for paths where nothing exists yet.
            _ = try await endpoint.provider.attributesOfItem(path: endpoint.path)
            guard let volume = try await endpoint.provider.storageProperties(path: endpoint.path) else {
                throw Refusal(endpoint.location.description, "the storage does not tell its size", isAboutAccess: false)
            }
            if json {
                try invocation.output.write(line(volume, endpoint))
            } else {
                table.add(cells(volume, endpoint, invocation.output))
                isEmpty = false
            }
        }
        if !isEmpty { try table.lines.forEach(invocation.output.line) }
    }

    private func cells(_ volume: VolumeObject, _ endpoint: Endpoint, _ output: StandardOutput) -> [String] {
        let used = volume.usage
        // As df computes it: what only root may use counts for neither.
        let whole = used.flatMap { used in volume.availableCapacity.map { used + $0 } } ?? volume.totalCapacity
        let share = used.flatMap { used in
            whole.flatMap { $0 > 0 ? "\(Int((Double(used) / Double($0) * 100).rounded(.up)))%" : nil }
        }
        let figures = [volume.totalCapacity, used, volume.availableCapacity].map { figure in
            figure.map { ByteCount.text($0, human: size.isHuman) } ?? "-"
        }
        return [ShownName.escaped(volume.name ?? "-")] + figures + [
            share ?? "-", ShownName.escaped(endpoint.location.text),
        ]
    }

    private func line(_ volume: VolumeObject, _ endpoint: Endpoint) -> [UInt8] {
        var line = JSONLine()
        line.add("path", exact: endpoint.location.text)
        line.add("name", volume.name)
        line.add("total", volume.totalCapacity)
        line.add("used", volume.usage)
        line.add("available", volume.availableCapacity)
        if let isReadOnly = volume.isReadOnly { line.add("readOnly", isReadOnly) }
        return line.line
    }
}
