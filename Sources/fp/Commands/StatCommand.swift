import ArgumentParser
import FileProviders

/// `fp stat`.
struct StatCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat",
        abstract: "Show everything that is known about items.",
        discussion: """
            What the storage does not tell is left out. A symbolic link is shown itself, not what it points to.

            Examples:
              fp stat photos/a.jpg
              fp stat --json davs://anna@cloud.example/dav/photos/a.jpg
            """)

    @Argument(help: "Files, directories or links.")
    var locations: [LocationArgument]

    @Flag(help: "Write one JSON object per item.")
    var json = false

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        var isFirst = true
        try await invocation.forEach(locations) { endpoint in
            let item = try await endpoint.provider.attributesOfItem(path: endpoint.path)
            if json {
                try invocation.output.write(JSONLine(item, path: endpoint.location.text).line)
            } else {
                if !isFirst { try invocation.output.write("\n") }
                for line in lines(item, endpoint) { try invocation.output.line(line) }
            }
            isFirst = false
        }
    }

    private func lines(_ item: FileObject, _ endpoint: Endpoint) -> [String] {
        let target = item.linkTarget.map { ShownName.escaped($0.bytes) }
        let permissions = item.permissions.map { "\(Permissions.text($0)) (\(String($0, radix: 8)))" }
        let size = item.size.map { size in
            Count.text(size, "byte") + (size < 1024 ? "" : " (\(ByteCount.short(size)))")
        }
        let facts: [(String, String?)] = [
            ("path", ShownName.escaped(endpoint.location.text)),
            ("type", item.type.rawValue),
            ("points to", target),
            ("size", size),
            ("modified", item.modificationTime.map(Timestamp.full)),
            ("created", item.creationTime.map(Timestamp.full)),
            ("accessed", item.accessTime.map(Timestamp.full)),
            ("permissions", permissions),
            ("owner", [item.owner, item.group].compactMap { $0 }.joined(separator: ":").nonEmpty),
            ("links", item.linkCount.map { String($0) }),
            ("etag", item.etag?.rawValue),
            ("id", item.fileID),
            ("content type", item.contentType),
            ("entries", item.childrenCount.map { String($0) }),
        ]
        let hashes = item.checksums.map { ($0.algorithm.rawValue.lowercased(), Optional($0.hex)) }
        return (facts + hashes).compactMap { name, value in
            value.map { name + String(repeating: " ", count: max(1, 13 - name.count)) + ShownName.escaped($0) }
        }
    }
}

extension String {
    /// The text, or `nil` instead of an empty one.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
