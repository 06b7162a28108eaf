import FileProviding

/// What to copy where: one or several sources, each to a target of its own.
public struct TransferPlan: Sendable {
    /// A source and its target.
    public struct Job: Sendable {
        /// The item to copy.
        public var source: TransferEndpoint
        /// The path of the copy itself, not of the directory that contains it.
        public var target: TransferEndpoint
        /// The source's attributes when the plan was made.
        public var item: FileObject
        /// Whether the user named the directory that contains the target, not the target itself: a link found at the
        /// target was then not meant.
        package var isInside = false
    }

    /// The sources and their targets.
    public package(set) var jobs: [Job]
    /// The options.
    public var options: TransferOptions

    /// Whether a folder is moved.
    var movesFolder: Bool { options.removesSources && jobs.contains { $0.item.isDirectory } }

    /// Determines the targets as `cp` does.
    ///
    /// One directory becomes the destination itself, merged with it if it exists; a destination written with a trailing
    /// slash means "inside". Several sources, or a file with an existing directory as destination, go inside. Running
    /// the same plan twice addresses the same targets.
    ///
    /// - Throws: when a source is missing, a source is a directory and `options.recursive` is not set, two sources
    ///   would have the same target, a destination that a file goes inside is missing, one that things go inside is
    ///   no directory, a directory would be copied into itself, or, with a mirror that deletes, a source would lie
    ///   inside its own mirror.
    public init(
        from sources: [TransferEndpoint], to destination: TransferEndpoint, options: TransferOptions = TransferOptions()
    ) async throws {
        self.options = options
        let existing = try await Self.item(at: destination)
        jobs = []
        var taken: Set<ItemPath> = []
        let origins = try await Self.origins(of: sources, for: destination, options)
        for (source, found) in zip(sources, origins) {
            let (origin, item) = try found.get()
            if item.isDirectory, !options.recursive {
                throw cocoaError(
                    source.path, code: .fileReadUnknown, reason: "it is a directory",
                    underlying: TransferRefusal.directory)
            }
            let goesInside =
                sources.count > 1 || (destination.path.namesDirectory && !(destination.path.isRoot && item.isDirectory))
                || (!item.isDirectory && existing?.isDirectory == true)
            if goesInside, let existing, !existing.isDirectory {
                throw FileError.notADirectory(destination.path, writing: true)
            }
            if goesInside, existing == nil, !item.isDirectory, sources.count == 1 {
                throw FileError.noSuchFile(destination.path, writing: true)
            }
            var target = destination
            if goesInside {
                let name = try Self.name(of: source, item)
                target = destination.appending(options.names == .map ? NameMapping.original(name) ?? name : name)
            }
            guard taken.insert(options.original(target.path)).inserted else {
                throw cocoaError(target.path, code: .fileWriteFileExists, reason: "two sources would become this one")
            }
            let deletes = options.mirror?.deletes ?? false
            try Self.checkApart(origin, target, isDirectory: item.isDirectory, deletes: deletes)
            if item.isDirectory { try await Self.checkApart(behindLinks: origin, target, deletes: deletes) }
            jobs.append(Job(source: origin, target: target, item: item, isInside: goesInside))
        }
    }

    private static func name(of source: TransferEndpoint, _ item: FileObject) throws -> ItemName {
        if let name = source.path.lastComponent { return name }
        return try ItemName(validating: item.itemName.bytes)
    }

    private static func item(at endpoint: TransferEndpoint) async throws -> FileObject? {
        do {
            return try await TransferPlan.resolved(endpoint.at(endpoint.path.asItem))
        } catch  where error.isNoSuchFile {
            return nil
        }
    }

    /// Returns what ``origin(of:for:_:)`` returns for each source. The first one is looked up alone: a password that is
    /// wrong is wrong for all, and some servers count how often it is tried.
    private static func origins(
        of sources: [TransferEndpoint], for destination: TransferEndpoint, _ options: TransferOptions
    ) async throws -> [Result<(TransferEndpoint, FileObject), any Error>] {
        guard let first = sources.first else { return [] }
        let origin = try await origin(of: first, for: destination, options)
        return [.success(origin)]
            + (await sources.dropFirst().concurrently { try await Self.origin(of: $0, for: destination, options) })
    }

    /// Returns a source as it is copied: a link itself, or its target when links are followed.
    private static func origin(
        of source: TransferEndpoint, for destination: TransferEndpoint, _ options: TransferOptions
    ) async throws -> (TransferEndpoint, FileObject) {
        if let directory = try await directory(behind: source, for: destination) { return directory }
        var item = try await source.provider.attributesOfItem(path: source.path)
        if options.symlinks == .follow { item = try await LinkResolution.resolve(item, at: source.provider) }
        return (item.path == source.path ? source : source.at(item.path), item)
    }

    /// Returns the directory that a link with a trailing slash leads to, under its own path: within one storage, the
    /// link's path would stand for the link. The same holds for a provider whose root is a link.
    private static func directory(
        behind source: TransferEndpoint, for destination: TransferEndpoint
    ) async throws -> (TransferEndpoint, FileObject)? {
        guard source.path.namesDirectory || source.path.isRoot else { return nil }
        var plain = source.at(source.path.asItem)
        if source.path.isRoot {
            guard let path = source.path(at: destination), !path.isRoot else { return nil }
            plain = destination.at(path.asItem)
        }
        guard plain.provider is any FileProviderSymbolicLink,
            let item = try? await plain.provider.attributesOfItem(path: plain.path), item.isSymLink
        else { return nil }
        let directory = try await LinkResolution.resolve(item, at: plain.provider)
        guard directory.isDirectory else { throw FileError.notADirectory(source.path) }
        return (plain.at(directory.path), directory)
    }

    /// Returns an item, or its target when it is a symbolic link.
    private static func resolved(_ endpoint: TransferEndpoint) async throws -> FileObject {
        let item = try await endpoint.provider.attributesOfItem(path: endpoint.path)
        guard item.isSymLink else { return item }
        do {
            _ = try await endpoint.provider.listing(path: endpoint.path).entries.first { _ in true }
            return FileObject(path: endpoint.path, type: .directory)
        } catch  where error.isNotADirectory || error.isNoSuchFile {
            return item
        }
    }

    /// Checks the same for directories that links lead to.
    private static func checkApart(
        behindLinks source: TransferEndpoint, _ target: TransferEndpoint, deletes: Bool
    ) async throws {
        guard source.path(at: target) != nil, target.provider is any FileProviderSymbolicLink else { return }
        let (real, goal) = (
            try await LinkResolution.realEndpoint(source), try await LinkResolution.realEndpoint(target)
        )
        try checkApart(real, goal, isDirectory: true, deletes: deletes)
    }

    /// - Parameter deletes: whether items that the source does not have are removed at the target.
    private static func checkApart(
        _ source: TransferEndpoint, _ target: TransferEndpoint, isDirectory: Bool, deletes: Bool
    ) throws {
        guard let path = source.path(at: target) else { return }
        if path == target.path { throw FileError.sameItem(target.path) }
        if isDirectory, target.path.isInside(path) { throw FileError.intoItself(target.path) }
        guard !deletes || !path.isInside(target.path) else {
            throw cocoaError(
                path, code: .fileWriteUnknown, reason: "it lies in what is to mirror it, and would be removed there")
        }
    }
}
