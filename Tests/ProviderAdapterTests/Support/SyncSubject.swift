import FileProviders
import Foundation
import TestSupport
import Testing

/// A storage that vaults are synchronised with, a fresh folder of it for each trial.
enum SyncSubject: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory = "MEMORY"
    case local = "LOCAL"
    case apache = "APACHE"
    case sabre = "SABRE"
    /// With identifiers and tags that propagate.
    case ownCloud = "OWNCLOUD"
    /// By SFTP: times in whole seconds, no tags, no identifiers.
    case sshd = "SSHD"

    /// Those that run, as the others need `Scripts/test-servers`.
    static let running = allCases.filter { [.memory, .local].contains($0) || $0.server != nil }

    var description: String { rawValue.lowercased() }

    var server: URL? { TestServer(rawValue)?.url }

    /// Runs `body` with a provider whose root is an empty folder, which is removed afterwards.
    func withFolder(_ body: (any FileProvider) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryFileProvider())
        case .local:
            let tree = try LocalTree()
            try await body(tree.provider())
            withExtendedLifetime(tree) {}
        case .apache, .sabre, .ownCloud, .sshd:
            let server = try #require(server)
            let parent = try provider(of: server)
            let folder = try ItemName(validating: "sync \(UUID())")
            try await parent.create(folder: folder, at: .root)
            do {
                try await body(provider(of: parent.url(of: ItemPath.root.appending(folder).asDirectory)))
                try await parent.removeItem(path: ItemPath.root.appending(folder))
            } catch {
                try? await parent.removeItem(path: ItemPath.root.appending(folder))
                throw error
            }
        }
    }

    func provider(of url: URL) throws -> any FileProvider {
        if self == .sshd {
            let keys = LocalPath(TestServer.variable("SSHD_KEYS"))
            var (configuration, path) = try SFTPFileProvider.configuration(for: url)
            configuration.root = configuration.root.appending(path)
            configuration.ssh.knownHosts = [keys.appending("known_hosts")]
            configuration.ssh.keys = [keys.appending("id_ed25519")]
            return try SFTPFileProvider(configuration: configuration, credential: nil)
        }
        return try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: url), credential: self == .ownCloud ? TestServer.credential : nil)
    }
}
