import CloudCore
import FileProviders
import Foundation
import TestSupport
import Testing

/// Scenarios 10 and 11 on storages whose disk is at hand, which somebody moves, empties and restores behind the
/// server's back.
@Suite struct DisasterScenarioTests {
    private static let subjects = SyncSubject.running.filter { $0.disk != nil }

    @Test("10: a folder with many items is moved on the server while files are written here", arguments: subjects)
    func manyItems(subject: SyncSubject) async throws {
        try await subject.withDisk { provider, disk in
            try disk.run(
                "for d in $(seq 20); do mkdir -p top/$d; for f in $(seq 30); do echo $f > top/$d/$f; done; done")
            let trial = try SyncTrial(provider)
            try await trial.sync()
            #expect(try await trial.core.summary().items == 621)
            let query = Query(.custom)
            trial.core.start(query)
            for await news in query where news.state == .idle { break }
            var rows: [Item] = []
            query.changes().apply(to: &rows)
            #expect(rows.count == 621)

            let edits = Locked(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try disk.run("mv top moved") }
                group.addTask { for _ in 0..<3 { _ = try? await trial.core.scan(budget: 1_000) } }
                group.addTask { for _ in 0..<3 { try? await trial.core.settle() } }
                group.addTask {
                    for number in 1...20 {
                        try await trial.put("made here", at: ItemPath(validating: "/made \(number)"))
                        // Its folder may be elsewhere by now.
                        let places = try ["top", "moved"].map { try ItemPath(validating: "/\($0)/\(number)/1") }
                        for place in places {
                            guard let item = try await trial.core.item(at: place) else { continue }
                            // It may have gone by now.
                            let contents = ByteStream(Data("edited here".utf8))
                            do { _ = try await trial.core.submit(.modify(item.localID, contents)) } catch
                                where error.isNoSuchFile
                            { continue }
                            edits.withLock { $0 += 1 }
                            break
                        }
                    }
                }
                try await group.waitForAll()
            }
            for _ in 0..<3 {
                try await trial.sync()
                for issue in try await trial.core.issues() {
                    let isRefusal = issue.id.kind == .commandRefused
                    let answer = issue.choices.first { $0.answer == .keepBoth } ?? issue.choices.first
                    try await trial.core.resolve(issue.id, with: isRefusal ? .acknowledge : #require(answer).answer)
                }
            }
            try await trial.expectConverged()
            try await trial.core.refresh(query)
            query.changes().apply(to: &rows)
            #expect(rows == query.queryResults)
            #expect(rows.map(\.path.description).sorted() == (try await trial.walked()))
            #expect(try await trial.places(of: "made here").count == 20)
            // An edit that found its folder gone is in the recovery folder, if nowhere else.
            #expect(edits.withLock { $0 } > 0)
            let (there, kept) = (try await trial.places(of: "edited here"), try trial.recovered())
            #expect(there.count + kept.filter { $0 == "edited here" }.count >= edits.withLock { $0 })
        }
    }

    @Test(
        "11: the server is installed anew, and empty", arguments: subjects,
        [CloudCore.Issue.Answer.keepLocal, .takeServer])
    func emptied(subject: SyncSubject, answer: CloudCore.Issue.Answer) async throws {
        try await subject.withDisk { provider, disk in
            let trial = try await filled(provider)
            let before = try await known(trial)
            try disk.run("rm -r ./*")
            for _ in 0..<3 { try await trial.core.scan() }
            #expect(try await known(trial) == before)
            #expect(try await text(of: "/d/kept", in: trial) == "kept 1")
            try await trial.resolve(.itemsVanished, answer)
            try await trial.expectConverged()
            if answer == .keepLocal {
                #expect(try await trial.walked() == ["/d", "/d/kept"])
                #expect(try await trial.text("/d/kept") == "kept 1")
            } else {
                #expect(try await trial.walked() == [])
                #expect(try trial.recovered() == ["kept 1"])
            }
        }
    }

    @Test(
        "11: the server is restored from an old backup", arguments: subjects,
        [CloudCore.Issue.Answer.keepLocal, .takeServer])
    func restored(subject: SyncSubject, answer: CloudCore.Issue.Answer) async throws {
        try await subject.withDisk { provider, disk in
            let backup = try LocalTree()
            try disk.run("mkdir d; echo -n old > d/kept; echo -n other > other; touch -d '2 hours ago' d/kept other d")
            try disk.run("cp -a . '\(backup.url.path)'")
            let trial = try await filled(provider)
            let before = try await trial.core.item(at: "/d/kept")?.size
            try disk.run("rm -r ./* && cp -a '\(backup.url.path)'/. .")
            try await trial.core.scan()
            #expect(try await trial.core.item(at: "/d/kept")?.size == before)
            #expect(try await text(of: "/d/kept", in: trial) == "kept 1")
            let issues = try await trial.core.issues()
            #expect(issues.count == 1)
            for issue in issues { try await trial.core.resolve(issue.id, with: answer) }
            try await trial.sync()
            // By its identifier, what is there under the name is another item (Local).
            for issue in try await trial.core.issues() { try await trial.core.resolve(issue.id, with: .keepBoth) }
            try await trial.expectConverged()
            #expect(try await trial.places(of: "kept 1").count == (answer == .keepLocal ? 1 : 0))
            #expect(try trial.recovered() == (answer == .keepLocal ? [] : ["kept 1"]))
        }
    }

    /// A vault over five files, one of which has a copy here.
    private func filled(_ provider: any FileProvider) async throws -> SyncTrial {
        let trial = try SyncTrial(provider)
        try await provider.createDirectory(path: "/d")
        try await trial.write("/d/kept", "kept 1")
        for number in 1...4 { try await trial.write(ItemPath(validating: "/d/\(number)"), "\(number)") }
        try await trial.sync()
        _ = try await trial.core.submit(.download(trial.id("/d/kept")))
        try await trial.core.settle()
        return trial
    }

    private func known(_ trial: SyncTrial) async throws -> [String] {
        let items = try await trial.core.changes(since: .beginning)?.items ?? []
        return items.filter { !$0.isRemoved && $0.parentID != nil }.map { "\($0.path) \($0.size ?? -1)" }.sorted()
    }

    private func text(of path: ItemPath, in trial: SyncTrial) async throws -> String? {
        try await trial.core.localCopy(of: trial.id(path)).map {
            try String(contentsOfFile: $0.description, encoding: .utf8)
        }
    }
}

extension SyncSubject {
    /// Where the server's files are on this machine, if they are.
    fileprivate var disk: URL? {
        switch self {
        case .memory, .ownCloud: nil
        case .local: FileManager.default.temporaryDirectory
        case .apache, .sabre, .sshd: TestServer(rawValue).map { URL(filePath: $0.folder.description) }
        }
    }

    /// Runs `body` with a provider whose root is an empty folder, and that folder on this machine's disk.
    fileprivate func withDisk(_ body: (any FileProvider, URL) async throws -> Void) async throws {
        try await withFolder { provider in
            let name = try #require(provider.identity.root.lastComponent?.text)
            try await body(provider, #require(disk).appending(path: name))
        }
    }
}

extension URL {
    /// Runs a command in this folder, as whoever owns it.
    fileprivate func run(_ command: String) throws {
        let owned = "(\(command)); s=$?; chown -R --reference=. . 2>/dev/null; exit $s"
        try #require(ChildProgram.run("sh", ["-c", owned], in: self) == 0, "\(command)")
    }
}
