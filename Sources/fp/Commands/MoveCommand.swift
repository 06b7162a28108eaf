import ArgumentParser
import FileProviders

/// `fp mv`.
struct MoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename files and folders.",
        discussion: """
            Within one storage, or one file system of this machine, it is a rename. Between two, folders of the same \
            name are merged, and each file is copied, flushed to the medium, verified by hash or by reading it back, \
            and only then removed from its source; --verify size makes do with less. A destination that is a folder means inside it. An existing file is \
            replaced only with --overwrite (-f), or with --update if it is older. A folder of a server that hides names, \
            as nginx does those with a dot, stays behind: there may be something in it.

            Examples:
              fp mv draft.txt final.txt
              fp mv scans/ home:archive/
              fp mv davs://anna@cloud.example/dav/in/a.zip .
            """)

    @Argument(help: "What to move, and last where to.")
    var locations: [LocationArgument]

    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var copying: CopyOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var destinationSecrets: DestinationSecretOptions

    func validate() throws {
        guard locations.count >= 2 else { throw ValidationError("Missing a destination: fp mv SOURCE ... DESTINATION") }
        if copying.verify == TransferOptions.Verification.none {
            throw ValidationError("mv does not remove what it has not verified: --verify size is the least")
        }
        if copying.symlinks == .follow {
            throw ValidationError("mv moves links themselves; `fp cp --symlinks follow` copies what they point to")
        }
    }

    func run(in invocation: Invocation) async throws {
        invocation.messages.isQuiet = copying.quiet
        invocation.access.destinationSecrets = destinationSecrets
        let sources = locations.dropLast()
        var opened: [(location: LocationArgument, source: Result<Endpoint, any Error>)] = []
        let destination = try await invocation.plan(from: locations[0], json: copying.json) { endpoints in
            opened = try invocation.access.open(each: sources)
            endpoints = opened.compactMap { try? $0.source.get() }
            let target = try invocation.access.open(locations[locations.count - 1], as: .destination)
            endpoints.append(target)
            let isFolder = try await self.isFolder(target)
            try requireFolder(at: target, isFolder)
            return (target: target, isFolder: isFolder)
        }
        guard let (target, isFolder) = destination else { return }
        var results = Results()
        for (location, source) in opened where !results.report.all.isCutShort {
            if case .failure(let error) = source {
                results.refused += 1
                invocation.failed(error, at: ShownName.escaped(location.bytes))
                if copying.json { try invocation.output.write(TransferLines.json(error, of: location.bytes)) }
                continue
            }
            var failure: (source: Endpoint, error: any Error)?
            var isMoved = false
            try await invocation.with(location, to: target) { source in
                do {
                    try await move(source, to: target, isFolder: isFolder ?? false, &results, invocation)
                    isMoved = true
                } catch {
                    failure = (source, error)
                    if copying.json, error.isCancellation {
                        try invocation.output.write(
                            TransferLines.json(results.report.all, refused: results.refused, isStopped: true))
                    }
                    throw error
                }
            }
            guard !isMoved else { continue }
            results.refused += 1
            if copying.json, let failure {
                let place = [failure.source, target].place(of: failure.error)
                try invocation.output.write(
                    TransferLines.json(failure.error, of: failure.source.location.text, at: place))
            }
        }
        if copying.json {
            try invocation.output.write(TransferLines.json(results.report.all, refused: results.refused))
        } else if let summary = results.report.summary(refused: results.refused, isPlanned: copying.dryRun) {
            try invocation.output.flush()
            invocation.messages.notice(summary)
        }
    }

    /// What has become of the sources so far.
    private struct Results {
        var report = MoveReport()
        /// The number of sources that were not moved, in addition to those that the report counts.
        var refused = 0
        /// Where sources are now; by identifier for storages that do not distinguish all names.
        var targets: Set<ItemPath> = []
        var identifiers: Set<String> = []
        /// Whether the destination's storage has turned out to have no identifiers, so that asking for them is for
        /// nothing.
        var lacksIdentifiers = false
    }

    /// Throws if there is no folder where one is needed.
    private func requireFolder(at target: Endpoint, _ isFolder: Bool?) throws {
        let place = target.location.description
        if locations.count > 2, isFolder != true {
            if isFolder != nil { throw FileError.notADirectory(place, writing: true) }
            throw Refusal.missingFolder(forSeveralSources: place)
        }
        if isFolder == nil, target.isRemoteItself {
            throw Refusal(place, "no such folder", remedy: "`fp mkdir -p` makes it", isAboutAccess: false)
        }
    }

    /// Moves one source, unless another has become what it would become.
    private func move(
        _ source: Endpoint, to target: Endpoint, isFolder: Bool, _ results: inout Results, _ invocation: Invocation
    ) async throws {
        let moving = try await moving(try await source.byPath, to: target, isFolder: isFolder, invocation)
        let present = await identifier(at: moving.target, &results)
        guard !results.targets.contains(moving.target.path), present.map(results.identifiers.contains) != true else {
            throw Refusal(
                moving.target.location.description, "another source has become this one", isAboutAccess: false)
        }
        try await moving.run(adding: &results.report)
        results.targets.insert(moving.target.path)
        if let identifier = await identifier(at: moving.target, &results) { results.identifiers.insert(identifier) }
    }

    /// The identifier of the item at a place, if there are several sources.
    private func identifier(at place: Endpoint, _ results: inout Results) async -> String? {
        guard locations.count > 2, !results.lacksIdentifiers,
            let item = try? await place.provider.attributesOfItem(path: place.path.asItem)
        else { return nil }
        results.lacksIdentifiers = item.fileID == nil
        return item.fileID
    }

    private func moving(
        _ source: Endpoint, to target: Endpoint, isFolder: Bool, _ invocation: Invocation
    ) async throws -> Moving {
        let direct = Moving(source, to: target, copying, conflicts, invocation)
        // The folder that an interrupted move has begun is the target itself, not a folder to move into.
        let isContinued = locations.count == 2 ? try await direct.isInterrupted() : false
        guard isFolder, !isContinued else { return direct }
        return Moving(source, to: try await inside(target, source), copying, conflicts, invocation)
    }

    /// Returns whether the destination is a folder to move into.
    private func isFolder(_ target: Endpoint) async throws -> Bool? {
        guard !target.path.isRoot else { return true }
        do {
            let item = try await target.provider.attributesOfItem(path: target.path)
            guard item.isSymLink else { return item.isDirectory }
            return try await target.provider.attributesOfItem(path: target.path.asDirectory).isDirectory
        } catch let error where error.isNoSuchFile {
            return nil
        } catch let error where error.isNotADirectory {
            return false
        }
    }

    private func inside(_ folder: Endpoint, _ source: Endpoint) async throws -> Endpoint {
        if let name = source.path.lastComponent { return folder.at(folder.path.appending(name)) }
        let item = try await source.provider.attributesOfItem(path: source.path)
        return folder.at(folder.path.appending(item.itemName))
    }
}

extension Endpoint {
    /// This endpoint with the item's current path if it names the item by identifier; otherwise unchanged.
    fileprivate var byPath: Endpoint {
        get async throws {
            guard path.isIdentifier else { return self }
            let item = try await provider.attributesOfItem(path: path)
            return Endpoint(location: location, provider: provider, path: item.path)
        }
    }
}
