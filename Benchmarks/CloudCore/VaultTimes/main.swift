// VaultTimes FOLDERS FILES: fills a vault with FOLDERS × FILES items and measures it; prints "name value" lines.
// Times are seconds, memory is in MiB.

import CloudCore
import FileProviding
import Foundation

func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}

func tell(_ name: String, _ value: Double) { print(name, value) }

func memory() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Double($0) }.map { $0 / 1024 } ?? 0
}

let server = MadeUpServer(folders: Int(CommandLine.arguments[1])!, files: Int(CommandLine.arguments[2])!)
let parent = LocalPath(FileManager.default.temporaryDirectory.path + "/vault-times-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(atPath: parent.description) }
let bookmark = try Bookmark(name: "made up", url: URL(string: "https://example.org/")!)
var core = Core(vault: try Vault(of: bookmark, in: parent), connection: server)

tell("ingest", try await seconds { try await core.scan() })
let anchor = try await core.anchor()
tell("ingest-again", try await seconds { try await core.deepCheck() })
guard try await core.anchor() == anchor else { fatalError("an unchanged listing changed the vault") }

// Anew, as a program that has just been started; the server is away, so that the database answers alone.
server.isAway.withLock { $0 = true }
try await core.close()
core = Core(vault: try Vault(of: Bookmark(name: "other", url: bookmark.url), in: parent), connection: server)
var opened: Vault?
tell("open", try await seconds { opened = try Vault(of: bookmark, in: parent) })
core = Core(vault: opened!, connection: server)
opened = nil

func results(_ query: Query, of core: Core) async throws -> (first: Double, all: Double) {
    var first = 0.0
    let all = await seconds {
        let start = ContinuousClock.now
        core.start(query)
        for await notification in query {
            if first == 0, notification.hasChanges { first = (ContinuousClock.now - start) / .seconds(1) }
            // Everything from the database is there before the server is asked.
            if notification.state == .updating || notification.state == .idle { break }
            if query.queryResults.count >= server.files { break }
        }
    }
    return (first, all)
}

let file = core.vault.folder.appending("database.sqlite").description
for _ in 0..<5 {
    let query = Query(.location("/folder 0"))
    let times = try await results(query, of: core)
    guard query.queryResults.count == server.files else { fatalError("\(query.queryResults.count) results") }
    tell("first", times.first)
    tell("all", times.all)
    await core.stop(query)
    tell("raw", try await seconds { _ = try RawItem.fetchLargestFolder(file) })
}
for text in ["img_77", "HOLIDAY.jpg.no", "_4242 h"] {
    let query = Query(.custom, where: .name.contains(text, .caseInsensitive), presentation: .init(limit: 100))
    tell("search", try await results(query, of: core).all)
    await core.stop(query)
}
let prefixed = Query(.custom, where: .name.beginsWith("img_777 ", .caseInsensitive))
tell("search-prefix", try await results(prefixed, of: core).all)
await core.stop(prefixed)
tell("memory", memory())

// A sorted and filtered query lives through changes of every hundredth file.
server.isAway.withLock { $0 = false }
let live = Query(
    .location("/folder 0"),
    presentation: .init(
        filters: [ClosureQueryFilter { $0.size ?? 0 > 10_000 }], sorting: .by(FileObjectSorting(.size))))
core.start(live)
for await notification in live where notification.state == .idle { break }
var rows: [Item] = []
live.changes().apply(to: &rows)
for round in 1...5 {
    server.changes.withLock { $0 = round }
    try await core.scan()
    var changes: QueryChangeSet?
    tell("changes", await seconds { changes = live.changes() })
    let old = rows
    changes?.apply(to: &rows)
    guard rows == live.queryResults else { fatalError("replaying gives something else") }
    let all = rows.shuffled()
    tell(
        "from-scratch",
        await seconds {
            let sorted = all.filter { $0.size ?? 0 > 10_000 }.sorted {
                ($0.size ?? 0, $0.name) < ($1.size ?? 0, $1.name)
            }
            let before = Dictionary(uniqueKeysWithValues: old.map { ($0.localID, $0) })
            var difference = 0
            for item in sorted where before[item.localID] != item { difference += 1 }
            if difference > sorted.count { print("impossible") }
        })
}
await core.stop(live)
