import FileProviding

/// Makes a symbolic link where the source has one.
struct LinkCopy {
    let job: FileJob

    static let noLinksThere = "symbolic link: the destination has none"

    /// Why the link has to be left out, or `nil` when it can be made.
    var obstacle: String? {
        job.source.provider is any FileProviderSymbolicLink && job.target.provider is any FileProviderSymbolicLink
            ? nil : Self.noLinksThere
    }

    /// Makes the link; does nothing where there is an obstacle.
    ///
    /// - Throws: when it did not get its place; what it has left beside it, the transfer's journal knows.
    func run() async throws {
        guard let source = job.source.provider as? any FileProviderSymbolicLink,
            let target = job.target.provider as? any FileProviderSymbolicLink
        else { return }
        let destination = try await source.destination(ofSymbolicLink: job.source.path)
        guard job.existing != nil, let parent = job.target.path.parent else {
            try await target.create(symbolicLink: job.target.path, withDestination: destination)
            return
        }
        // The old item stays until the link can take its place.
        let temporary = parent.appending(TemporaryName.make())
        try await target.create(symbolicLink: temporary, withDestination: destination)
        try await target.moveItem(path: temporary, to: job.target.path, overwrite: true)
    }
}
