import FileProviding

/// Creates a symbolic link where the source has one.
struct LinkCopy {
    let job: FileJob
    /// Whether the link is on the medium before this is over.
    var flushes = false
    /// Whether the source is to be removed: then the link is read back.
    var isMove = false

    static let noLinksThere = "symbolic link: the destination has none"

    /// Why the link has to be skipped, or `nil` when it can be created.
    var obstacle: String? {
        job.source.provider is any FileProviderSymbolicLink && job.target.provider is any FileProviderSymbolicLink
            ? nil : Self.noLinksThere
    }

    /// Creates the link; does nothing if there is an obstacle.
    ///
    /// - Throws: when the link could not be put in place; what it has left next to it is in the transfer's journal.
    func run() async throws {
        guard let source = job.source.provider as? any FileProviderSymbolicLink,
            let target = job.target.provider as? any FileProviderSymbolicLink
        else { return }
        let destination = try await source.destination(ofSymbolicLink: job.source.path)
        guard let existing = job.existing, let parent = job.target.path.parent else {
            try await make(job.target.path, to: destination, on: target)
            return try await verify(destination, on: target)
        }
        if !existing.isSymLink { try await job.source.requireNoWay(to: job.target) }
        // The old item stays until the link can take its place.
        let temporary = parent.appending(TemporaryName.make())
        try await make(temporary, to: destination, on: target)
        try await target.perform(.move(source: temporary, destination: job.target.path), in: context(overwrite: true))
        try await verify(destination, on: target)
    }

    /// Creates the link; on this machine as a copy, which has the original's time, and its owner if it is moved.
    private func make(
        _ path: ItemPath, to destination: LinkTarget, on target: any FileProviderSymbolicLink
    ) async throws {
        guard target is any FileProviderLocalAccess, let source = job.source.path(at: job.target) else {
            try await target.perform(.link(path, target: destination), in: context())
            return
        }
        var context = context()
        context.options.keepsOwner = isMove
        try await target.perform(.copy(source: source, destination: path), in: context)
    }

    private func verify(_ destination: LinkTarget, on target: any FileProviderSymbolicLink) async throws {
        guard isMove else { return }
        guard try await target.destination(ofSymbolicLink: job.target.path) == destination else {
            throw cocoaError(
                job.target.path, code: .fileWriteUnknown,
                reason: "the link that was made does not read back as it should")
        }
    }

    private func context(overwrite: Bool = false) -> OperationContext {
        OperationContext(options: OperationOptions(overwrite: overwrite, flush: flushes))
    }
}
