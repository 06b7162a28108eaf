import ArgumentParser
import FileProviders

/// `fp find`.
struct FindCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find items below a directory by a predicate.",
        discussion: """
            Paths appear as they are found, in the form that fp understands. The predicate's keys are those of file \
            queries: name, path, fileSize, modifiedDate, type, isDirectory, isHidden, owner, mimeType, … Compare them by \
            = != < <= > >= BETWEEN IN CONTAINS BEGINSWITH ENDSWITH LIKE MATCHES, texts with [c] for any case, and join \
            them by AND OR NOT.

            Examples:
              fp find photos 'name LIKE[c] "*.jpg" AND fileSize > 10000000'
              fp find home: 'isDirectory = TRUE'
              fp find -0 . 'name ENDSWITH ".tmp"' | xargs -0 fp rm
            """)

    @Argument(help: "A directory.")
    var location: LocationArgument

    @Argument(help: "What to look for; TRUEPREDICATE finds everything.")
    var predicate: String

    @Flag(help: "Write one JSON object per item.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End paths with a zero byte instead of a line feed.")
    var null = false

    @OptionGroup var access: AccessOptions

    func validate() throws { _ = try query() }

    func run(in invocation: Invocation) async throws {
        let query = try query()
        let writer = EntryWriter(style: json ? .json : .names, terminator: null ? 0 : UInt8(ascii: "\n"))
        try await invocation.with(location) { endpoint in
            do {
                let found = endpoint.provider.search(path: endpoint.path, recursive: true, query: query)
                try await invocation.forEachPage(of: found, at: endpoint) { page in
                    try writer.write(
                        page, to: invocation.output, name: { endpoint.name(of: $0.path) },
                        path: { endpoint.name(of: $0.path) })
                }
            } catch let error where error.isNotADirectory && !endpoint.path.namesDirectory {
                let file = try await endpoint.provider.attributesOfItem(path: endpoint.path)
                guard query.matches(file) else { return }
                try writer.write(
                    [file], to: invocation.output, name: { _ in endpoint.location.text },
                    path: { _ in endpoint.location.text })
            }
        }
    }

    private func query() throws -> FileQuery { try FileQuery(argument: predicate) }
}

extension FileQuery {
    /// Parses a predicate from the command line.
    ///
    /// - Throws: `ValidationError` with the position of the mistake.
    init(argument: String) throws {
        do {
            try self.init(parsing: argument)
        } catch {
            throw ValidationError("“\(argument)”: \(error.localizedDescription)")
        }
    }
}
