import ArgumentParser
import FileProviders

/// `fp tree`.
struct TreeCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Draw a directory and everything below it.",
        discussion: """
            Each directory is sorted by name. Symbolic links are shown, not followed.

            Examples:
              fp tree photos
              fp tree -L 2 davs://anna@cloud.example/dav/
            """,
        helpNames: .long)

    @Argument(help: "Directories; the working directory by default.")
    var locations: [LocationArgument] = [.here]

    @Flag(name: .short, help: "Show hidden items too.")
    var all = false

    @Option(
        name: .customShort("L", allowingJoined: true), parsing: .unconditional,
        help: ArgumentHelp("Go no deeper than this.", valueName: "levels"))
    var depth: Int?

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if let depth, depth < 1 { throw ValidationError("-L needs a positive number") }
    }

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            let drawing = Drawing(endpoint, all: all, depth: depth, invocation)
            try await drawing.draw()
        }
    }
}

/// A tree being drawn on the terminal.
private final class Drawing {
    private let endpoint: Endpoint
    private let all: Bool
    private let depth: Int?
    private let invocation: Invocation
    private let output: StandardOutput
    private var directories = 0
    private var files = 0

    init(_ endpoint: Endpoint, all: Bool, depth: Int?, _ invocation: Invocation) {
        self.endpoint = endpoint
        self.all = all
        self.depth = depth
        self.invocation = invocation
        output = invocation.output
    }

    func draw() async throws {
        let contents = await DirectoryContents(of: endpoint.path, by: endpoint.provider)
        if let error = contents.error { try invocation.pass(error, below: endpoint) }
        try output.write(output.shown(endpoint.location.text))
        try output.write("\n")
        try await draw(contents.items, indentation: "", level: 1)
        let (directories, files) = (Count.text(directories, "directory", "directories"), Count.text(files, "file"))
        try output.line("\n\(directories), \(files)")
    }

    private func draw(_ items: [FileObject], indentation: String, level: Int) async throws {
        var items = all ? items : items.filter { !$0.isHidden }
        FileObjectSorting(.name).sort(&items)
        var rest = items[...]
        func drawItems(through directory: ItemPath?) throws {
            while let item = rest.popFirst() {
                try draw(item, indentation: indentation, isLast: rest.isEmpty)
                if item.path == directory { break }
            }
        }
        let directories = level < depth ?? .max ? items.filter(\.isDirectory).map(\.path) : []
        try await directories.contents(by: endpoint.provider) { directory, contents in
            try drawItems(through: directory)
            if let error = contents.error { try invocation.pass(error, below: endpoint) }
            try await draw(
                contents.items, indentation: indentation + (rest.isEmpty ? "    " : "│   "), level: level + 1)
        }
        try drawItems(through: nil)
        if output.isTerminal { try output.flush() }
    }

    private func draw(_ item: FileObject, indentation: String, isLast: Bool) throws {
        try output.write(indentation + (isLast ? "└── " : "├── "))
        try output.write(output.shown(item.itemName.bytes))
        if let target = item.linkTarget { try output.write(Array(" -> ".utf8) + output.shown(target.bytes)) }
        try output.write(item.isDirectory ? "/\n" : "\n")
        if item.isDirectory { directories += 1 } else { files += 1 }
    }
}
