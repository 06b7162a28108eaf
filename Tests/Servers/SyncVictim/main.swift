// Works in a vault until it is killed: `SyncVictim VAULTS BOOKMARK SERVER SEED`.
//
// What it prints, a line each and before anything else happens: `accepted TEXT` for contents that the vault has taken, and
// `over TEXT` for contents that are about to be replaced or removed. `SERVER` is a folder of this machine.
import CloudCore
import FileProviding
import Foundation
import LocalFiles
import ProviderAdapter
import TestSupport

let arguments = CommandLine.arguments
let (vaults, server) = (LocalPath(arguments[1]), arguments[3])
let bookmark = try Bookmark(
    id: UUID(uuidString: arguments[2])!, name: "Victim", url: URL(string: "https://example.org/")!)
let provider = VersionCounter(try LocalFileProvider(root: LocalPath(server)), log: LocalPath(server + ".log"))
let core = Core(vault: try Vault(of: bookmark, in: vaults), connection: ProviderAdapter(provider))
let running = Task { await core.run(every: .milliseconds(20)) }
try await Victim(core: core).work(steps: 60, SeededGenerator(seed: UInt64(arguments[4])!))
running.cancel()
await running.value
try await core.settle()
say("done")
