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
                    : try await sumDirectory(endpoint.path, of: endpoint, invocation)
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

    /// Writes the sums of all directories below `path`, and returns the sum of `path` itself.
    private func sumDirectory(
        _ path: ItemPath, of endpoint: Endpoint, _ invocation: Invocation
    ) async throws -> Int64 {
        var sum: Int64 = 0
        var directories: [ItemPath] = []
        do {
            for try await page in endpoint.provider.listing(path: path) {
                sum = sum.addingSaturated(Self.sum(page))
                directories += page.filter(\.isDirectory).map(\.path)
            }
        } catch {
            try invocation.pass(error, below: endpoint)
        }
        for directory in directories {
            let below = try await sumDirectory(directory, of: endpoint, invocation)
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
