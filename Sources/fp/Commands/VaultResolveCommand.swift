import ArgumentParser
import CloudCore

/// `fp vault resolve`.
struct VaultResolveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Answer what `fp vault conflicts` lists.",
        discussion: """
            Examples:
              fp vault conflicts cloud
              fp vault resolve cloud ID keep-both
            """)

    @Argument(help: "The remote's name.")
    var remote: VaultArgument

    @Argument(help: "The issue, as `fp vault conflicts` names it.")
    var issue: String

    @Argument(help: "One of the issue's answers.")
    var answer: String

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(of: remote) { vault in
            guard let issue = try await vault.core.issues().first(where: { $0.id.description == self.issue }) else {
                throw refusal(vault, "no such issue is open", "see `fp vault conflicts \(vault.location.description)`")
            }
            guard let answer = Issue.Answer(rawValue: answer) else {
                throw refusal(
                    vault, "“\(ShownName.escaped(Array(answer.utf8)))” is no answer",
                    "answers are: \(issue.answers.map(\.answer.rawValue).joined(separator: ", "))")
            }
            guard answer != .follow else {
                throw refusal(
                    vault, "a remote keeps its address",
                    "give it the one that `fp vault conflicts` tells: fp remote add --replace NAME URL")
            }
            do { try await vault.core.resolve(issue, with: answer) } catch
                where error.isItemChanged && answer == .replace
            {
                throw refusal(
                    vault, "somebody has changed it once more, and nothing was replaced",
                    "look at it, and answer again")
            }
            if answer == .trust, let certificate = issue.certificate {
                invocation.messages.notice("\(vault.location.prefix) trusts \(certificate.text)")
            }
            try invocation.access.keep(vault.core.bookmark.pinnedCertificates, of: vault.location)
            try await vault.core.settle()
            if try await !vault.core.syncRecords().isEmpty {
                invocation.messages.notice("\(vault.location.prefix) changes wait; see `fp vault sync`")
            }
        }
    }

    private func refusal(_ vault: OpenVault, _ reason: String, _ remedy: String) -> Refusal {
        let issue = ShownName.escaped(Array(issue.utf8))
        return Refusal("\(vault.location.description) \(issue)", reason, remedy: remedy, isAboutAccess: false)
    }
}
