// Works in a vault until it is killed: `SyncVictim VAULTS BOOKMARK SERVER LOG SEED`. With `stall` for a seed it sends
// one large file, prints `accepted` and the command's identifier, and `stalled` where the third part would begin, and
// goes no further.
//
// What it prints, a line each and before anything else happens: `accepted TEXT` for contents that the vault has taken,
// and `over TEXT` for contents that are about to be replaced or removed. `SERVER` is a folder's URL. A path goes to
// `LOG` when the bytes of one edit are written there a second time.
import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport

let arguments = CommandLine.arguments
let (vaults, server, log) = (LocalPath(arguments[1]), URL(string: arguments[3])!, LocalPath(arguments[4]))
let bookmark = try Bookmark(
    id: UUID(uuidString: arguments[2])!, name: "Victim", url: URL(string: "https://example.org/")!)
let (provider, root) = try ProviderRegistry.standard.open(server, ssh: { $0.takeKeys(of: TestServer("SSHD")) })
guard let provider = provider as? any FileProvider & FileProviderPartialWrite else { fatalError("no parts") }
let stalls = arguments[5] == "stall"
let counter = VersionCounter(
    provider, log: log, stall: stalls ? VersionCounter.Stall(at: 16 << 20) { say("stalled") } : nil)
let core = Core(
    vault: try Vault(of: bookmark, in: vaults), connection: ProviderAdapter(counter, root: root))
if stalls {
    let file = Command.upload(
        ByteStream(Data(count: 40 << 20)), as: try ItemName(validating: "large"), in: .root)
    let pending = try await core.submit(file)
    say("accepted \(pending.id)")
    _ = try await pending.item
}
let running = Task { await core.run(every: .milliseconds(20)) }
try await Victim(core: core).work(steps: 60, SeededGenerator(seed: UInt64(arguments[5])!))
running.cancel()
await running.value
try await core.settle()
say("done")

extension SSHConfiguration {
    /// Lets itself in by the key that the server's script made.
    fileprivate mutating func takeKeys(of server: TestServer?) {
        guard let folder = server.map({ LocalPath(TestServer.variable("\($0.name)_KEYS")) }) else { return }
        knownHosts = [folder.appending("known_hosts")]
        keys = [folder.appending("id_ed25519")]
    }
}
