import FileProviders
import Foundation

/// The transfers for a command line: one for each storage that sources are on.
///
/// A source that cannot be copied is an error of its own, and the others are still copied.
struct CopyPlan {
    /// Sources on one storage, and their targets.
    struct Part {
        var sources: CopySources
        /// The transfer.
        var plan: TransferPlan
    }

    /// A source that could not be opened, and why.
    struct Unopened {
        var location: LocationArgument
        var error: any Error
    }

    /// The transfers in order.
    private(set) var parts: [Part] = []
    /// The destination.
    let target: Endpoint
    /// The folder for what a mirror replaces or removes.
    private let backup: Endpoint?
    /// The sources that cannot be copied, as they were given, and why.
    private var refused: [(source: [UInt8], error: any Error)] = []

    /// Determines the target of each source.
    ///
    /// - Throws: when the destination or the only source is invalid.
    ///
    /// - Parameters:
    ///   - endpoints: the sources, and last the destination.
    ///   - unopened: further sources.
    ///   - backup: the backup folder of the options, as it was given.
    init(
        _ endpoints: [Endpoint], _ options: TransferOptions, unopened: [Unopened] = [], backup: Endpoint? = nil
    ) async throws {
        target = endpoints[endpoints.count - 1]
        self.backup = backup
        refused = unopened.map { ($0.location.bytes, $0.error) }
        try await plan(Array(endpoints.dropLast()), options)
        for part in parts where part.sources.first.isStream && part.sources.first.isStandardInput {
            guard part.plan.jobs.contains(where: { $0.target.path.asItem != target.path.asItem }) else { continue }
            throw Refusal.namelessStandardInput(part.sources.first.location.description)
        }
    }

    private mutating func plan(_ sources: [Endpoint], _ options: TransferOptions) async throws {
        guard sources.count > 1 || !refused.isEmpty else {
            do {
                let plan = try await plan(of: sources[0], options)
                parts = [Part(sources: CopySources(sources[0]), plan: plan)]
            } catch let error as CocoaError where error.isNoSuchFile {
                guard try await !sources[0].provider.itemExists(path: sources[0].path) else { throw error }
                // Its name as it was given: an error's path is text.
                refused.append((sources[0].location.text, error))
            }
            return
        }
        do { _ = try await target.provider.attributesOfItem(path: target.path.asItem) } catch
            where error.isMissingFolder
        { throw Refusal.missingFolder(forSeveralSources: target.location.description) }
        let fitting = try await fitting(sources, options)
        guard fitting.count > 1 else {
            for (source, item) in fitting {
                let plan = try await Self.plan(of: source, item, inside: target, options)
                parts.append(Part(sources: CopySources(source), plan: plan))
            }
            return
        }
        do {
            split(try await Self.plan(fitting.map(\.source), target, options), fitting.map(\.source))
        } catch let error as CocoaError {
            let possible = try await possible(fitting, options)
            guard !possible.isEmpty else { throw error }
            var plan = possible[0].plan
            plan.jobs = possible.flatMap(\.plan.jobs)
            split(plan, possible.map(\.source))
        }
    }

    /// Returns the plan for the only source.
    private func plan(of source: Endpoint, _ options: TransferOptions) async throws -> TransferPlan {
        var goal = source.meansContents ? target.asItem : target
        if target.isRemoteItself || target.path.isRoot {
            let item = try await source.provider.attributesOfItem(path: source.path)
            // The path of a root tells nothing: a saved remote may have been given with a slash or without.
            let goesInside = target.endsInSlash && options.mirror == nil && !source.meansContents && !source.path.isRoot
            if item.isDirectory, goesInside { return try await Self.plan(of: source, item, inside: target, options) }
            // A file goes into it, and does not become what is missing, as where a disk is not mounted.
            goal = target.at(item.isDirectory ? target.path.asItem : target.path.asDirectory)
        }
        return try await Self.plan([source], goal, options)
    }

    /// Returns the sources that can be copied into the target individually, if not all of them can; the others are
    /// recorded with their errors.
    private mutating func possible(
        _ sources: [(source: Endpoint, item: FileObject)], _ options: TransferOptions
    ) async throws -> [(source: Endpoint, plan: TransferPlan)] {
        var possible: [(source: Endpoint, plan: TransferPlan)] = []
        var others: [(source: Endpoint, error: any Error)] = []
        var taken: Set<ItemPath> = []
        for (source, item) in sources {
            do {
                let plan = try await Self.plan(of: source, item, inside: target, options)
                guard taken.insert(plan.jobs[0].target.path).inserted else {
                    throw cocoaError(
                        plan.jobs[0].target.path, code: .fileWriteFileExists,
                        reason: "another source would become this one")
                }
                possible.append((source, plan))
            } catch let error as CocoaError { others.append((source, error)) }
        }
        if !possible.isEmpty { refused += others.map { ($0.source.location.text, $0.error) } }
        return possible
    }

    /// Copies everything, names what fails, and finally reports what was done.
    func run(_ invocation: Invocation, _ options: CopyOptions, verb: String) async throws {
        var sum: TransferReport?
        var failures = 0
        func failed(_ error: any Error, _ source: [UInt8], at place: String? = nil) throws {
            failures += 1
            invocation.failed(error, at: place)
            if options.json { try invocation.output.write(TransferLines.json(error, of: source, at: place)) }
        }
        for (source, error) in refused { try failed(error, source, at: ShownName.escaped(source)) }
        for part in parts {
            let run = TransferRun(invocation, options, sources: part.sources, target: target)
            run.named = Set(part.plan.jobs.map(\.source.path))
            defer { failures += run.refused }
            var report: TransferReport
            do { report = try await run.run(part.plan) } catch let error as CocoaError where !error.isCancellation {
                // For example, the same transfer is already running.
                let ends = part.sources.all + [target] + (backup.map { [$0] } ?? [])
                try failed(error, part.sources.first.location.text, at: ends.place(of: error))
                continue
            } catch let error where error.isCancellation && options.json {
                let done = sum?.adding(run.unfinished) ?? run.unfinished
                try invocation.output.write(TransferLines.json(done, refused: failures, isStopped: true))
                throw error
            }
            report.skipped -= run.refused
            sum = sum?.adding(report) ?? report
            if report.isCutShort { break }
        }
        if options.json {
            return try invocation.output.write(TransferLines.json(sum ?? TransferReport(), refused: failures))
        }
        guard let sum else { return }
        invocation.messages.notice(
            TransferLines.summary(sum, verb: verb, refused: failures, isPlanned: options.dryRun))
    }

    private static func plan(
        _ sources: [Endpoint], _ target: Endpoint, _ options: TransferOptions
    ) async throws -> TransferPlan {
        try await TransferPlan(from: sources.map(\.transferEnd), to: target.transferEnd, options: options)
    }

    /// Returns the sources that can be copied; the others are recorded with their errors.
    private mutating func fitting(
        _ sources: [Endpoint], _ options: TransferOptions
    ) async throws -> [(source: Endpoint, item: FileObject)] {
        var fitting: [(source: Endpoint, item: FileObject)] = []
        for (source, result) in zip(sources, try await Self.items(of: sources)) {
            do {
                let item = try result.get()
                guard options.recursive || !item.isDirectory else {
                    throw Refusal(
                        source.location.description, "it is a folder", remedy: "-r copies it", isAboutAccess: false)
                }
                guard !source.meansContents else {
                    throw Refusal(
                        source.location.description, "what is in a folder is copied alone",
                        remedy: "give it a command of its own", isAboutAccess: false)
                }
                fitting.append((source, item))
            } catch let error where Self.isAboutOneSource(error) {
                refused.append((source.location.text, error))
            }
        }
        return fitting
    }

    /// Looks up the sources. The first one of each storage is looked up alone: the others of one that is away would be
    /// waited for as long, each, and a wrong password would be tried as often.
    private static func items(of sources: [Endpoint]) async throws -> [Result<FileObject, any Error>] {
        var firsts: [Int: Result<FileObject, any Error>] = [:]
        var away: [ProviderIdentity: URLError] = [:]
        var seen: Set<ProviderIdentity> = []
        for (index, source) in sources.enumerated() where seen.insert(source.provider.identity).inserted {
            do {
                firsts[index] = .success(try await source.provider.attributesOfItem(path: source.path))
            } catch let error where isAboutOneSource(error) {
                firsts[index] = .failure(error)
                away[source.provider.identity] = error as? URLError
            }
        }
        return await sources.enumerated().concurrently { [firsts, away] index, source in
            if let first = firsts[index] { return try first.get() }
            if let error = away[source.provider.identity] { throw error }
            return try await source.provider.attributesOfItem(path: source.path)
        }
    }

    /// Returns whether other sources can be copied nevertheless. What the user can be asked about is no such error.
    private static func isAboutOneSource(_ error: any Error) -> Bool {
        if let error = error as? URLError { return error.code.isConnectionProblem }
        return error is CocoaError || (error as? Refusal)?.isAboutAccess == false
    }

    /// Returns the plan if only one of several sources is left: it goes inside the destination, as if there were
    /// others.
    private static func plan(
        of source: Endpoint, _ item: FileObject, inside target: Endpoint, _ options: TransferOptions
    ) async throws -> TransferPlan {
        let path = item.isDirectory ? target.path.appending(item.itemName) : target.path.asDirectory
        let inside = Endpoint(location: target.location, provider: target.provider, path: path)
        var plan = try await Self.plan([source], inside, options)
        for index in plan.jobs.indices { plan.jobs[index].isInside = true }
        return plan
    }

    /// Makes one part for each storage, so that messages can name its paths.
    private mutating func split(_ plan: TransferPlan, _ sources: [Endpoint]) {
        for (job, source) in zip(plan.jobs, sources) {
            if let last = parts.last, last.sources.first.provider.identity == source.provider.identity {
                parts[parts.count - 1].plan.jobs.append(job)
                parts[parts.count - 1].sources.append(source)
            } else {
                var own = plan
                own.jobs = [job]
                parts.append(Part(sources: CopySources(source), plan: own))
            }
        }
    }
}

extension TransferReport {
    /// Returns the combined report of two transfers, one after the other.
    func adding(_ other: TransferReport) -> TransferReport {
        var sum = self
        sum.copied += other.copied
        sum.wholeDirectories += other.wholeDirectories
        sum.unchanged += other.unchanged
        sum.skipped += other.skipped
        sum.directories += other.directories
        sum.moved += other.moved
        sum.deleted += other.deleted
        sum.bytes = sum.bytes.addingSaturated(other.bytes)
        sum.failures += other.failures
        sum.isCutShort = isCutShort || other.isCutShort
        sum.duration += other.duration
        return sum
    }
}
