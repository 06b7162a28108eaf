import ArgumentParser
import FileProviders
import Foundation

/// `fp remote show`.
struct RemoteShowCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a remote's entry as JSON, and what kind of secret it has.",
        discussion: """
            Examples:
              fp remote show home
            """)

    @Argument(help: "The remote's name.")
    var name: String

    func run(in invocation: Invocation) async throws {
        try await invocation.supervise {
            let entry = try invocation.access.remotes.existing(name)
            let secret = try invocation.access.remotes.secrets.credential(for: entry.id)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            var shown = try JSONValue(encoding: entry)
            if case .object(var members) = shown {
                members["secret"] = .string(kind(of: secret))
                shown = .object(members)
            }
            try invocation.output.line(String(decoding: try encoder.encode(shown), as: UTF8.self))
        }
    }

    private func kind(of secret: Credential?) -> String {
        switch secret {
        case .password(let user, _): "password of \(user)"
        case .bearer: "token"
        case .oauth2: "OAuth 2 token"
        case nil: "none"
        }
    }
}

extension RemoteList {
    /// Returns the entry with that name.
    ///
    /// - Throws: ``Refusal`` when there is none.
    func existing(_ name: String) throws -> StoredProvider {
        guard let entry = try entry(named: name) else {
            throw Refusal(ShownName.escaped(name), "no such remote", remedy: "see `fp remote list`")
        }
        return entry
    }
}
