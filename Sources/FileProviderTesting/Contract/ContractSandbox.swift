import FileProviding

/// An empty directory for one case, and ways to get providers of it.
public struct ContractSandbox: Sendable {
    /// Makes the direct entries of a directory undeletable, and returns a closure that undoes that.
    public typealias Protecting = @Sendable (_ directory: ItemPath) async throws -> (@Sendable () async throws -> Void)

    /// Creates a provider whose storage fails when a listing's page after the given number of pages is requested.
    public typealias FailingPages = @Sendable (_ pagesBefore: Int) async throws -> any FileProviderBasic

    /// The directory's path in the provider; the root, if providers can have any root.
    public let directory: ItemPath
    /// The same directory on this machine's disk, for setting up and verifying files without the provider.
    public let localView: LocalPath?
    let arranger: (any FileProvider)?
    let protect: Protecting?
    let failingPages: FailingPages?
    let newProvider: @Sendable () async throws -> any FileProviderBasic
    let close: @Sendable () async throws -> Void

    /// Creates a sandbox.
    ///
    /// - Parameters:
    ///   - directory: a directory in which the case may do anything; empty.
    ///   - localView: the same directory on this machine's disk, if it is there.
    ///   - arranger: writes what the cases read, in the same directory, if the provider under test only reads.
    ///   - protect: used if something can be made undeletable; a local view needs no closure for that.
    ///   - failingPages: used if the storage can be made to fail in the middle of a listing; otherwise only what is
    ///     derived from listings is tested.
    ///   - provider: creates a further provider of the same storage, as another process would.
    ///   - close: removes the directory and everything in it.
    public init(
        directory: ItemPath = .root, localView: LocalPath? = nil, arranger: (any FileProvider)? = nil,
        protect: Protecting? = nil, failingPages: FailingPages? = nil,
        provider: @escaping @Sendable () async throws -> any FileProviderBasic,
        close: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.directory = directory
        self.localView = localView
        self.arranger = arranger
        self.protect = protect ?? localView.flatMap { LocalProtection(root: $0, directory: directory)?.protect }
        self.failingPages = failingPages
        newProvider = provider
        self.close = close
    }
}
