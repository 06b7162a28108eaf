import ArgumentParser
import FileProviders

/// `fp hash`.
struct HashCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Compute or ask for files' hashes.",
        discussion: """
            The output is that of sha256sum and its kin, so that their -c can check it. A storage that knows the hash is \
            asked for it, unless --read insists on the bytes. - is standard input.

            Examples:
              fp hash photos/*.jpg
              fp hash --algorithm md5 davs://anna@cloud.example/dav/a.iso
            """)

    @Argument(help: "Files.")
    var locations: [LocationArgument]

    @Option(
        name: [.customShort("a", allowingJoined: true), .long], help: "adler32, md5, sha1, sha256 or sha512.")
    var algorithm = Checksum.Algorithm.sha256

    @Flag(help: "Read the files even where the storage knows their hashes.")
    var read = false

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            let checksum = try await checksum(endpoint)
            try invocation.output.write(Self.line(checksum, invocation.output.shown(endpoint.location.text)))
            if invocation.output.isTerminal { try invocation.output.flush() }
        }
    }

    private func checksum(_ endpoint: Endpoint) async throws -> Checksum {
        let endpoint = endpoint.asStream()
        if !read, let known = try await known(endpoint) { return known }
        return try await Checksum.of(endpoint.provider.read(path: endpoint.path).bytes, algorithm)
    }

    /// Returns the hash that the storage knows, requested only if it may know one.
    private func known(_ endpoint: Endpoint) async throws -> Checksum? {
        if let provider = endpoint.provider as? any ChecksumProvider, provider.checksumAlgorithms.contains(algorithm),
            let checksum = try await provider.checksum(path: endpoint.path, algorithm: algorithm)
        {
            return checksum
        }
        let free = try await endpoint.provider.characteristics(path: endpoint.path).freeChecksums
        guard free.contains(algorithm) else { return nil }
        let item = try await endpoint.provider.attributesOfItem(path: endpoint.path)
        return item.checksums.first { $0.algorithm == algorithm }
    }

    /// Returns a line as written by `sha256sum`: a name with a backslash or line feed is escaped, and the line begins
    /// with a backslash.
    private static func line(_ checksum: Checksum, _ name: [UInt8]) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        let special: [UInt8: UInt8] = [
            backslash: backslash, UInt8(ascii: "\n"): UInt8(ascii: "n"), UInt8(ascii: "\r"): UInt8(ascii: "r"),
        ]
        let isEscaped = name.contains { special[$0] != nil }
        let shown = name.flatMap { byte in special[byte].map { [backslash, $0] } ?? [byte] }
        return (isEscaped ? [backslash] : []) + Array("\(checksum.hex)  ".utf8) + shown + [UInt8(ascii: "\n")]
    }
}

extension Checksum.Algorithm: ExpressibleByArgument {
    /// Parses the name, in any case.
    public init?(argument: String) { self.init(rawValue: argument.uppercased()) }

    /// Empty: the values speak for themselves.
    public static var allValueDescriptions: [String: String] { [:] }

    /// The names in lower case.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue.lowercased() } }

    /// The name in lower case.
    public var defaultValueDescription: String { rawValue.lowercased() }
}
