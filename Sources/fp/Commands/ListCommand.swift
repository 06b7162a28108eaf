import ArgumentParser
import FileProviders

/// `fp ls`.
struct ListCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List a directory, one name per line.",
        discussion: """
            Directories end in a slash. The order is the storage's own, and names appear as they arrive, unless --sort \
            asks for an order. A file lists itself, before directories; so does a link with -l, unless a slash follows it, \
            and one that leads nowhere.

            Examples:
              fp ls -l photos
              fp ls -R davs://anna@cloud.example/dav/photos
              fp ls --json --sort size home: | jq -r .path
            """,
        helpNames: .long)

    /// An order of the listing.
    enum Order: String, CaseIterable, ExpressibleByArgument {
        /// By name, numbers by their value; by path if everything below is listed.
        case name
        /// Largest first.
        case size
        /// Newest first.
        case time

        func sorting(isRecursive: Bool) -> FileObjectSorting {
            switch self {
            case .name: FileObjectSorting(isRecursive ? .path : .name)
            case .size: FileObjectSorting(.size, ascending: false)
            case .time: FileObjectSorting(.modifiedDate, ascending: false)
            }
        }
    }

    @Argument(help: "Directories or files; the working directory by default.")
    var locations: [LocationArgument] = [.here]

    @Flag(name: .short, help: "Show type, permissions, owner, size and time where they are known.")
    var long = false

    @Flag(name: .customShort("R"), help: "List everything below; paths are relative to the location.")
    var recursive = false

    @Flag(name: .short, help: "Show hidden items too.")
    var all = false

    @Option(help: "Hold the listing and sort it: name, size (largest first) or time (newest first).")
    var sort: Order?

    @Flag(help: "Write one JSON object per item, hidden ones included.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End names with a zero byte instead of a line feed.")
    var null = false

    @OptionGroup var size: SizeOption
    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        guard locations.count > 1, !json else {
            return try await invocation.forEach(locations) { try await list($0, invocation) }
        }
        var directories: [LocationArgument] = []
        for location in locations {
            try await invocation.with(location) { endpoint in
                let item = try await endpoint.provider.attributesOfItem(path: endpoint.path)
                let isFollowed = item.isSymLink && !showsLinks(at: endpoint)
                let isDirectory = if isFollowed { try await leadsToDirectory(endpoint) } else { item.isDirectory }
                if isDirectory {
                    directories.append(location)
                } else {
                    try write(itself: item, endpoint, invocation.output)
                }
            }
        }
        try await invocation.forEach(directories) { try await list($0, invocation) }
    }

    /// Whether a link is shown instead of what it leads to.
    private func showsLinks(at endpoint: Endpoint) -> Bool {
        long && !endpoint.path.namesDirectory && endpoint.provider is any FileProviderSymbolicLink
    }

    private func leadsToDirectory(_ link: Endpoint) async throws -> Bool {
        if link.path.namesDirectory { return true }
        do {
            return try await link.provider.attributesOfItem(path: link.path.asDirectory).isDirectory
        } catch let error where error.isNotADirectory || error.isNoSuchFile {
            return false
        }
    }

    private var writer: EntryWriter {
        EntryWriter(
            style: json ? .json : long ? .long(human: size.isHuman) : .names, terminator: null ? 0 : UInt8(ascii: "\n"))
    }

    private func list(_ endpoint: Endpoint, _ invocation: Invocation) async throws {
        let output = invocation.output
        if showsLinks(at: endpoint) {
            let item = try await endpoint.provider.attributesOfItem(path: endpoint.path)
            if item.isSymLink { return try write(itself: item, endpoint, output) }
        }
        do {
            var heading = locations.count > 1 && !json ? endpoint.location : nil
            var held: [FileObject] = []
            func take(_ page: DirectoryListing.Page) throws {
                try heading.take().map { try writeHeading($0, output) }
                let taking = page.filter { takesPart($0, endpoint) }
                if sort == nil { try write(taking, endpoint, output) } else { held += taking }
            }
            if recursive {
                let listing = endpoint.provider.recursiveListing(path: endpoint.path)
                try await invocation.forEachPage(of: listing, at: endpoint, take)
            } else {
                for try await page in endpoint.provider.listing(path: endpoint.path) { try take(page) }
            }
            try heading.take().map { try writeHeading($0, output) }
            sort?.sorting(isRecursive: recursive).sort(&held)
            try write(held, endpoint, output)
        } catch let error where error.isNotADirectory && !endpoint.path.namesDirectory {
            try write(itself: try await endpoint.provider.attributesOfItem(path: endpoint.path), endpoint, output)
        } catch let error where error.isNoSuchFile && !endpoint.path.namesDirectory {
            guard let item = try? await endpoint.provider.attributesOfItem(path: endpoint.path), item.isSymLink else {
                throw error
            }
            try write(itself: item, endpoint, output)
        }
    }

    /// Writes the item at a location.
    private func write(itself item: FileObject, _ endpoint: Endpoint, _ output: StandardOutput) throws {
        try writer.write(
            [item], to: output, name: { _ in endpoint.location.text }, path: { _ in endpoint.location.text })
    }

    /// Writes a heading that names the folder.
    private func writeHeading(_ folder: Location, _ output: StandardOutput) throws {
        if output.count > 0 { try output.write("\n") }
        try output.write(output.shown(folder.text))
        try output.write(":\n")
    }

    private func write(_ page: [FileObject], _ endpoint: Endpoint, _ output: StandardOutput) throws {
        try writer.write(
            page, to: output,
            name: { recursive ? $0.path.relative(to: endpoint.path)?.bytes ?? $0.itemName.bytes : $0.itemName.bytes },
            path: { endpoint.name(of: $0.path) })
    }

    /// Returns whether the item is shown: it is not hidden, nor in a hidden directory.
    private func takesPart(_ item: FileObject, _ endpoint: Endpoint) -> Bool {
        if all || json { return true }
        guard !item.isHidden, recursive else { return !item.isHidden }
        return item.path.relative(to: endpoint.path)?.components.contains { $0.isHidden } != true
    }
}
