import ArgumentParser
import FileProviders

/// `fp mv`.
struct MoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename files and folders.",
        discussion: """
            Within one storage, or one file system of this machine, it is a rename. Between two, each file is copied, \
            flushed to the medium, verified by hash or by reading it back, and only then removed from its source; \
            --verify size makes do with less. A destination that is a folder means inside it. An existing file is \
            replaced only with --overwrite (-f).

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
        if copying.symlinks == .follow { throw ValidationError("mv does not follow links: it moves them") }
    }

    func run(in invocation: Invocation) async throws {
        invocation.messages.isQuiet = copying.quiet
        invocation.access.destinationSecrets = destinationSecrets
        let sources = locations.dropLast()
        var opened: [(location: LocationArgument, source: Result<Endpoint, any Error>)] = []
        let destination = try await invocation.plan(json: copying.json) { endpoints in
            opened = try invocation.access.open(each: sources)
            endpoints = opened.compactMap { try? $0.source.get() }
            let target = try invocation.access.open(locations[locations.count - 1], as: .destination)
            endpoints.append(target)
            return (target: target, isFolder: try await self.isFolder(target))
        }
        guard let (target, found) = destination else { return }
        guard sources.count == 1 || found == true else {
            let place = target.location.description
            if found != nil { throw FileError.notADirectory(place, writing: true) }
            throw Refusal(
                place, "no such folder, and several sources need one", remedy: "`fp mkdir -p` makes one",
                isAboutAccess: false)
        }
        if found == nil, target.isRemoteItself {
            throw Refusal(
                target.location.description, "no such folder", remedy: "`fp mkdir -p` makes it", isAboutAccess: false)
        }
        let isFolder = found ?? false
        var (sum, refused) = (TransferReport(), 0)
        var taken: Set<ItemPath> = []
        // For storages that do not distinguish all names.
        var made: Set<String> = []
        for (location, source) in opened where !sum.isCutShort {
            if case .failure(let error) = source {
                refused += 1
                invocation.failed(error, at: ShownName.escaped(location.bytes))
                if copying.json { try invocation.output.write(TransferLines.json(error, at: location.bytes)) }
                continue
            }
            var failure: (source: Endpoint, error: any Error)?
            var isDone = false
            try await invocation.with(location, to: target) { source in
                do {
                    let source = try await source.byPath
                    let moving = try await moving(source, to: target, isFolder: isFolder, invocation)
                    let place = moving.target
                    let identifier = { @Sendable in
                        sources.count > 1
                            ? try? await place.provider.attributesOfItem(path: place.path.asItem).fileID : nil
                    }
                    let present = await identifier()
                    guard !taken.contains(place.path), present.map(made.contains) != true else {
                        throw Refusal(
                            moving.target.location.description, "another source has become this one",
                            isAboutAccess: false)
                    }
                    try await moving.run(adding: &sum)
                    taken.insert(place.path)
                    if let id = await identifier() { made.insert(id) }
                    isDone = true
                } catch {
                    failure = (source, error)
                    if copying.json, error.isCancellation {
                        try invocation.output.write(TransferLines.json(sum, refused: refused, isStopped: true))
                    }
                    throw error
                }
            }
            guard !isDone else { continue }
            refused += 1
            if copying.json, let failure {
                try invocation.output.write(TransferLines.json(failure.error, at: failure.source.location.text))
            }
        }
        if copying.json { try invocation.output.write(TransferLines.json(sum, refused: refused)) }
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
