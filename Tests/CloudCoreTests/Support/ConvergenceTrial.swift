import FileProviding
import Foundation
import TestSupport

@testable import CloudCore

/// Vaults over one server, to which random things happen.
struct ConvergenceTrial {
    private var vaults: [Server]
    private var generator: SeededGenerator
    private let ledger: TextLedger
    /// How many seconds the vaults' clock is ahead.
    private let passed: Locked<Int64>
    private let hasTrouble: Bool
    /// The kinds of commands that are given, the more often the more often they are here: each trial has its own
    /// mixture, for some things happen only where others are rare.
    private let mixture: [CommandKind]
    private var texts = 0

    /// - Parameter hasTrouble: whether commands are called off too, and operations refused or cut off.
    init(seed: UInt64, propagates: Bool, hasFileIDs: Bool, hasTrouble: Bool) throws {
        let passed = Locked<Int64>(0)
        let clock: @Sendable () -> FileTime = { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) }
        let first = try Server(propagates: propagates, hasFileIDs: hasFileIDs, clock: clock)
        let second = try Server(
            propagates: propagates, hasFileIDs: hasFileIDs, provider: first.provider, clock: clock)
        (vaults, self.passed, self.hasTrouble) = ([first, second], passed, hasTrouble)
        var generator = SeededGenerator(seed: seed)
        let mixture = CommandKind.allCases.flatMap { kind in
            Array(repeating: kind, count: [0, 1, 1, 2, 4].randomElement(using: &generator)!)
        }
        self.mixture = mixture.isEmpty ? CommandKind.allCases : mixture
        self.generator = generator
        ledger = TextLedger(first.provider)
        for vault in vaults { vault.connection.watch { [ledger] in await ledger.note($0, of: $1) } }
    }

    // MARK: Steps

    /// One random thing: a command, a change by somebody else, an exchange with the server, an outage or a new start.
    mutating func step() async throws {
        let which = Int.random(in: 0..<vaults.count, using: &generator)
        switch Int.random(in: 0..<(hasTrouble ? 25 : 20), using: &generator) {
        case 0..<11: try await command(in: vaults[which])
        case 11..<14: try await changeServer()
        case 14, 15: try await vaults[which].core.settle()
        case 16: _ = try? await vaults[which].core.scan(budget: 3)
        case 17: vaults[which].connection.fail(with: URLError(.notConnectedToInternet))
        case 18:
            vaults[which].connection.fail(with: nil)
            await vaults[which].core.reconnect()
        case 19: try await restart(which)
        case 20, 21: try await callOff(in: vaults[which])
        case 22: try await answer(in: vaults[which])
        default:
            vaults[which].connection.meet(by: BadLuck(seed: generator.next()).meets)
            try await vaults[which].core.settle()
            vaults[which].connection.meet(by: nil)
            passed.withLock { $0 += .random(in: 0..<4, using: &generator) }
            await vaults[which].core.reconnect()
        }
    }

    private mutating func command(in vault: Server) async throws {
        let items = try await vault.core.changes(since: .beginning)?.items.filter { !$0.isRemoved } ?? []
        guard let item = items.filter({ $0.parentID != nil }).randomElement(using: &generator) ?? items.first,
            let directory = items.filter(\.isDirectory).randomElement(using: &generator)
        else { return }
        let name = try self.name()
        let text = text()
        let contents = ByteStream(Data(text.utf8))
        let command: Command =
            switch mixture.randomElement(using: &generator)! {
            case .createFolder: .createFolder(name, in: directory.localID)
            case .upload: .upload(contents, as: name, in: directory.localID)
            case .modify: .modify(item.localID, contents)
            case .download: .download(item.localID)
            case .move: .move(item.localID, to: directory.localID, as: name)
            case .copy: .copy(item.localID, to: directory.localID, as: name)
            case .update: .update(item.localID, ItemAttributes(modificationTime: FileTime(seconds: Int64(texts))))
            case .delete: .delete(item.localID)
            }
        let replaced = try await copies(below: item, in: vault)
        // A name that is taken, a directory into itself: another step does something else.
        guard (try? await vault.core.submit(command)) != nil else { return }
        switch command {
        case .upload: ledger.accept(text)
        case .modify:
            ledger.accept(text)
            ledger.mayBeGone(replaced)
        case .delete:
            ledger.mayBeGone(replaced)
            ledger.expect(
                removalsBy: try await vault.core.syncRecords().filter { $0.kind == .delete }.map(\.id))
        case .createFolder, .move, .copy, .download, .update: break
        }
    }

    /// The texts that a vault holds of an item and everything below it.
    private func copies(below item: Item, in vault: Server) async throws -> [String] {
        try await vault.core.vault.database.read { reader in
            try reader.itemsWithCopy(below: item.localID).compactMap { try reader.copy(of: $0.localID) }
        }.map { try vault.scratch.read(vault.core.vault.path(of: $0)) }
    }

    private mutating func answer(in vault: Server) async throws {
        guard let issue = try await vault.core.issues().randomElement(using: &generator) else { return }
        // Some answers need the server.
        try? await answer(issue, in: vault)
    }

    private mutating func answer(_ issue: CloudCore.Issue, in vault: Server) async throws {
        let answer = issue.choices.map(\.answer).randomElement(using: &generator) ?? .cancel
        try await vault.core.resolve(issue.id, with: answer)
    }

    private mutating func callOff(in vault: Server) async throws {
        guard let record = try await vault.core.syncRecords().randomElement(using: &generator) else { return }
        try await vault.core.cancel(record.id)
        if try await !vault.core.syncRecords().contains(where: { $0.id == record.id }) { ledger.callOff(record.id) }
    }

    private mutating func changeServer() async throws {
        let provider = vaults[0].provider
        let all = try await provider.recursiveListing(path: .root).collect()
        let directories = [ItemPath.root] + all.filter(\.isDirectory).map(\.path)
        let path = try directories.randomElement(using: &generator)!.appending(name())
        let text = text()
        switch (Int.random(in: 0..<5, using: &generator), all.randomElement(using: &generator)) {
        case (0, let item?):
            await ledger.somebodyTakes(item.path)
            try? await provider.removeItem(path: item.path)
        case (1, let item?): _ = try? await provider.moveItem(path: item.path, to: path)
        case (2, _): _ = try? await provider.createDirectory(path: path)
        default:
            await ledger.somebodyTakes(path)
            if (try? await provider.writeContents(path: path, contents: Data(text.utf8), overwrite: true)) != nil {
                ledger.accept(text)
            }
        }
    }

    /// Ends a vault's program, at times while a command is under way, and starts another.
    private mutating func restart(_ which: Int) async throws {
        let core = vaults[which].core
        if Bool.random(using: &generator), let record = try await core.syncRecords().first(where: { $0.waits.isEmpty })
        {
            _ = try? await core.vault.database.write { try $0.schedule(record.number, SyncEffects(vault: core.vault)) }
        }
        vaults[which] = try await vaults[which].reopened()
    }

    private mutating func name() throws -> ItemName {
        try ItemName(validating: "n\(Int.random(in: 0..<5, using: &generator))")
    }

    private mutating func text() -> String {
        texts += 1
        return "text \(texts)"
    }

    // MARK: The end

    /// Lets everything be exchanged and every issue be answered; then says what is not as it should be.
    mutating func difference() async throws -> String? {
        for vault in vaults { vault.connection.fail(with: nil) }
        var states: [String] = []
        for _ in 0..<12 {
            for vault in vaults {
                await vault.core.reconnect()
                try await vault.sync()
                for issue in try await vault.core.issues() { try await answer(issue, in: vault) }
            }
            passed.withLock { $0 += 600 }
            states = try await vaults.asyncMap { try await $0.difference() }
            if states.allSatisfy(\.isEmpty) { break }
        }
        states += await ledger.faults(recovered: try vaults.flatMap { try $0.recovered() })
        if states.allSatisfy(\.isEmpty) { return nil }
        return states.joined(separator: " | ")
    }
}

private enum CommandKind: CaseIterable {
    case createFolder, upload, modify, download, move, copy, update, delete
}

/// Faults that depend on what is asked and how often, not on the order: the same for the same seed.
private final class BadLuck: Sendable {
    private let seed: UInt64
    private let counts = Locked<[String: Int]>([:])

    init(seed: UInt64) { self.seed = seed }

    @Sendable func meets(_ operation: ConnectionOperation) -> CountingConnection.Fault {
        let summary = operation.summary
        let count = counts.withLock { counts in
            counts[summary, default: 0] += 1
            return counts[summary, default: 0]
        }
        let hash = "\(summary) \(count)".utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var generator = SeededGenerator(seed: hash)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return .lost(CocoaError(.fileWriteNoPermission))
        case 1: return .lost(URLError(.networkConnectionLost))
        case 2: return .unanswered(URLError(.networkConnectionLost))
        default: return .none
        }
    }
}

extension Server {
    /// What is pending here, or not as on the server.
    fileprivate func difference() async throws -> String {
        let records = try await core.syncRecords().map {
            "\($0.kind) of \($0.itemID) waits \($0.waits) \($0.failure?.text ?? "")"
        }
        let issues = try await core.issues().map { "\($0.id)" }
        let (known, walked) = (Set(try await knownItems()), Set(try await walkedItems()))
        let extra = known.subtracting(walked).sorted().map { "+\($0)" }
        let lacking = walked.subtracting(known).sorted().map { "-\($0)" }
        return (records + issues + extra + lacking).joined(separator: ", ")
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
