import FileProviding

/// A provider under test: a way to create one in an empty directory, and what is expected of its storage.
///
/// Create one and keep it, as a `static let`: it limits how many cases run at once on the storage.
///
/// ```swift
/// let memory = ContractSubject("Memory") { ContractSandbox { MemoryFileProvider() } }
///
/// let server = ContractSubject("mod_dav", within: parent, expectations: expectations) { directory in
///     try WebDAVFileProvider(configuration: WebDAVConfiguration(url: parent.url(of: directory)), credential: nil)
/// }
/// ```
public struct ContractSubject: Sendable, CustomStringConvertible {
    /// The provider and its server, for display.
    public let name: String
    /// What is expected of this provider and server.
    public let expectations: ContractExpectations
    let queue: CaseQueue
    private let open: @Sendable () async throws -> ContractSandbox

    /// Creates a subject whose storage is created anew for each case.
    public init(
        _ name: String, expectations: ContractExpectations = ContractExpectations(),
        sandbox: @escaping @Sendable () async throws -> ContractSandbox
    ) {
        self.name = name
        self.expectations = expectations
        queue = CaseQueue(width: expectations.parallelCases)
        open = sandbox
    }

    /// Creates a subject on storage that all cases share, each in a directory of its own, which is removed afterwards.
    ///
    /// - Parameters:
    ///   - name: shown in failures.
    ///   - parent: a provider of the directory that holds the cases' directories.
    ///   - localView: the same directory on this machine's disk, if it is there.
    ///   - expectations: what is expected of the provider and its server.
    ///   - provider: creates a provider under test whose root is the directory at this path of `parent`.
    public init(
        _ name: String, within parent: any FileProvider, localView: LocalPath? = nil,
        expectations: ContractExpectations = ContractExpectations(),
        provider: @escaping @Sendable (_ directory: ItemPath) async throws -> any FileProviderBasic
    ) {
        self.init(name, expectations: expectations) {
            let folder = try ItemName(validating: "contract-\(UInt64.random(in: 0 ... .max))")
            let directory = ItemPath.root.appending(folder).asDirectory
            try await parent.createDirectory(path: directory)
            return ContractSandbox(localView: localView?.appending(folder.bytes)) {
                try await provider(directory)
            } close: {
                try await parent.removeItem(path: directory)
            }
        }
    }

    /// The subject's name.
    public var description: String { name }

    /// Opens a sandbox, passes it to `body` and closes it, whatever happens.
    func withTrial<Result: Sendable>(
        _ body: (ContractTrial) async throws -> Result
    ) async throws -> Result {
        let sandbox = try await open()
        let result: Result
        do {
            result = try await body(ContractTrial(subject: self, sandbox: sandbox, provider: sandbox.newProvider()))
        } catch {
            try? await sandbox.close()
            throw error
        }
        try await sandbox.close()
        return result
    }
}
