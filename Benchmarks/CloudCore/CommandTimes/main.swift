// CommandTimes SOURCE URL ROUNDS: sends the files of SOURCE, which lie in folders of it, to empty folders below URL,
// each round by the transfer engine and by a vault's queued commands; prints "transfer SECONDS CPU" and
// "commands SECONDS CPU" lines. What they make stays, in TMPDIR too; see `replace` in Harness/files.py.

import CloudCore
import FileProviding
import FileTransfer
import Foundation
import Glibc
import LocalFiles
import ProviderAdapter
import WebDAVFiles

let (source, url, rounds) = (
    CommandLine.arguments[1], URL(string: CommandLine.arguments[2])!, Int(CommandLine.arguments[3])!
)
let server = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
let local = try LocalFileProvider(root: LocalPath(source))
let files = try await local.recursiveListing(path: .root).collect()

/// How many seconds something takes, and how much processor time of this program. What was written before is on the disk
/// by then, and not written while the clock runs.
func seconds(_ work: () async throws -> Void) async rethrows -> (wall: Double, processor: Double) {
    sync()
    let (start, used) = (ContinuousClock.now, clock())
    try await work()
    return ((ContinuousClock.now - start) / .seconds(1), Double(clock() - used) / Double(CLOCKS_PER_SEC))
}

/// Copies everything into a folder of the server, and returns how long that took.
func transfer(to folder: ItemPath) async throws -> (wall: Double, processor: Double) {
    try await seconds {
        var options = TransferOptions()
        options.recursive = true
        let plan = try await TransferPlan(
            from: [TransferEndpoint(local, .root)], to: TransferEndpoint(server, folder), options: options)
        let report = try await Transfer(plan).report
        guard report.isComplete else { fatalError("the transfer engine failed") }
    }
}

/// Queues everything in a vault of a folder of the server, and returns how long it took from there to the server.
func commands(to folder: ItemPath) async throws -> (wall: Double, processor: Double) {
    let vaults = LocalPath(FileManager.default.temporaryDirectory.path + "/command-times-\(UUID().uuidString)")
    let core = Core(
        vault: try Vault(of: Bookmark(name: "Apache", url: url), in: vaults),
        connection: ProviderAdapter(server, root: folder),
        budget: SyncBudget(total: 48, transfers: 48, uploads: 48))
    for file in files.sorted(by: { $0.path.components.count < $1.path.components.count }) {
        let parent = try await core.item(at: file.path.parent ?? .root)!.localID
        if file.isDirectory {
            _ = try await core.submit(.createFolder(file.itemName, in: parent))
        } else {
            let contents = try ByteStream(localFile: LocalPath(source + file.path.description))
            _ = try await core.submit(.upload(contents, as: file.itemName, in: parent))
        }
    }
    let took = try await seconds { try await core.settle() }
    guard try await core.syncRecords().isEmpty else { fatalError("commands are left") }
    try await core.close()
    return took
}

for round in 0...rounds {
    let (one, other) = (try ItemPath(validating: "/transfer \(round)"), try ItemPath(validating: "/commands \(round)"))
    for folder in [one, other] { try await server.createDirectory(path: folder) }
    let times = (try await transfer(to: one.appending("tree")), try await commands(to: other))
    // The first round warms everything up.
    if round > 0 {
        print("transfer", times.0.wall, times.0.processor)
        print("commands", times.1.wall, times.1.processor)
    }
}
