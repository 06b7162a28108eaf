import FileProviding

/// An empty directory for one case, and how to get providers of it.
public struct ContractSandbox: Sendable {
    /// Makes what is directly in a directory undeletable, and returns what undoes that.
    public typealias Protecting = @Sendable (_ directory: ItemPath) async throws -> (@Sendable () async throws -> Void)

    /// Makes a provider whose storage fails when a listing's page behind so many others is asked for.
    public typealias FailingPages = @Sendable (_ pagesBefore: Int) async throws -> any FileProviderBasic

    /// Where in the provider the directory is; its root, if providers can be rooted anywhere.
    public let directory: ItemPath
    /// The same directory on this machine's disk, to arrange and verify things behind the provider's back.
    public let localView: LocalPath?
    let arranger: (any FileProvider)?
    let protect: Protecting?
    let failingPages: FailingPages?
    let newProvider: @Sendable () async throws -> any FileProviderBasic
    let close: @Sendable () async throws -> Void

    /// A sandbox.
    ///
    /// - Parameters:
    ///   - directory: where the case may do as it likes; empty.
    ///   - localView: the same directory on this machine's disk, where it is.
    ///   - arranger: writes what the cases read, in the same directory, where the provider under test only reads.
    ///   - protect: where something can be made undeletable; on a local view that needs no closure.
    ///   - failingPages: where the storage can be made to fail in mid-listing; otherwise what is derived from listings is
    ///     tested alone.
    ///   - provider: makes a further provider of the same storage, as another process would.
    ///   - close: removes the directory and whatever is in it.
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
