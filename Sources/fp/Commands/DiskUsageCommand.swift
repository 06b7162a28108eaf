import ArgumentParser
import FileProviders

/// `fp du`.
struct DiskUsageCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "du",
        abstract: "Add up the sizes of files, directory by directory.",
        discussion: """
            Sizes are the files' lengths in bytes, whatever they occupy; each directory's line includes what is below it.

            Examples:
              fp du -h photos
              fp du -s davs://anna@cloud.example/dav/photos home:music
            """,
        helpNames: .long)

    @Argument(help: "Directories or files; the working directory by default.")
    var locations: [LocationArgument] = [.here]

    @Flag(name: [.customShort("s"), .customLong("summarize")], help: "Show only the sum of each location.")
    var onlySums = false

    @Flag(help: "Write one JSON object per line.")
    var json = false

    @OptionGroup var size: SizeOption
    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            do {
                let sum =
                    onlySums
                    ? try await sumOfEverything(below: endpoint, invocation)
                    : try await sumDirectory(
                        DirectoryContents(of: endpoint.path, by: endpoint.provider), of: endpoint, invocation)
                try write(sum, endpoint.location.text, invocation.output)
            } catch let error where error.isNotADirectory {
                let file = try await endpoint.provider.attributesOfItem(path: endpoint.path)
                try write(file.size ?? 0, endpoint.location.text, invocation.output)
            }
        }
    }

    private func sumOfEverything(below endpoint: Endpoint, _ invocation: Invocation) async throws -> Int64 {
        var sum: Int64 = 0
        let listing = endpoint.provider.recursiveListing(path: endpoint.path)
        try await invocation.forEachPage(of: listing, at: endpoint) { sum += Self.sum($0) }
        return sum
    }

    /// Writes the sums of all directories below one, and returns its own.
    private func sumDirectory(
        _ contents: DirectoryContents, of endpoint: Endpoint, _ invocation: Invocation
    ) async throws -> Int64 {
        if let error = contents.error { try invocation.pass(error, below: endpoint) }
        var sum = Self.sum(contents.items)
        let directories = contents.items.filter(\.isDirectory).map(\.path)
        try await directories.contents(by: endpoint.provider) { directory, contents in
            let below = try await sumDirectory(contents, of: endpoint, invocation)
            try write(below, endpoint.name(of: directory), invocation.output)
            sum = sum.addingSaturated(below)
        }
        return sum
    }

    private static func sum(_ page: [FileObject]) -> Int64 {
        page.reduce(0) { $1.isRegularFile ? $0.addingSaturated($1.size ?? 0) : $0 }
    }

    private func write(_ sum: Int64, _ path: [UInt8], _ output: StandardOutput) throws {
        if json {
            var line = JSONLine()
            line.add("path", exact: path)
            line.add("size", sum)
            try output.write(line.line)
        } else {
            try output.write(ByteCount.text(sum, human: size.isHuman) + "\t")
            try output.write(output.shown(path) + [UInt8(ascii: "\n")])
        }
    }
}
