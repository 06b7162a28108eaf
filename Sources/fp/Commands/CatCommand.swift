import ArgumentParser
import FileProviders

/// `fp cat`.
struct CatCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Write files to standard output.",
        discussion: """
            With --offset and --length only that part travels, where the storage can. - is standard input.

            Examples:
              fp cat davs://anna@cloud.example/dav/notes.txt
              fp cat --offset 1000000 --length 512 big.iso | xxd
            """)

    @Argument(help: "Files.")
    var locations: [LocationArgument]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin at this byte; a negative one counts from the end.", valueName: "bytes"))
    var offset: Int64 = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Write at most this many bytes.", valueName: "bytes"))
    var length: Int64?

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if let length, length < 0 { throw ValidationError("--length cannot be negative") }
        if offset < 0, length != nil { throw ValidationError("--length needs an --offset from the beginning") }
    }

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            let isStream = range == .all || endpoint.isStandardInput
            try await invocation.print(isStream ? endpoint.asStream() : endpoint, range)
        }
    }

    private var range: ByteRange {
        if offset < 0 { return .last(-max(offset, -.max)) }
        guard let length else { return offset == 0 ? .all : .from(offset) }
        let (end, overflow) = offset.addingReportingOverflow(length)
        return .range(offset..<(overflow ? .max : end))
    }
}

extension Invocation {
    /// Writes a file's bytes to standard output, no faster than a limit allows.
    func print(_ endpoint: Endpoint, _ range: ByteRange = .all, limit: RateLimiter? = nil) async throws {
        for try await chunk in try await endpoint.provider.read(path: endpoint.path, range: range) {
            try await limit?.pass(Double(chunk.count))
            try Task.checkCancellation()
            try output.write(through: chunk)
        }
    }
}
