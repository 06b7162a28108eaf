import ArgumentParser
import CloudCore

/// `fp vault conflicts`.
struct VaultConflictsCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List what waits for an answer, and which answers there are.",
        discussion: """
            Examples:
              fp vault conflicts cloud
            """)

    @Argument(help: "The remote's name.")
    var remote: VaultArgument

    @Flag(help: "Write one JSON object per issue.")
    var json = false

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(of: remote, alone: true) { vault in
            for issue in try await vault.core.issues() {
                let place = try await vault.place(of: issue)
                let detail = try await vault.detail(of: issue)
                try invocation.output.write(json ? jsonLine(issue, place) : text(issue, place, detail))
            }
        }
    }

    private func jsonLine(_ issue: Issue, _ place: [UInt8]?) -> [UInt8] {
        var line = JSONLine()
        line.add("issue", issue.id.description)
        line.add("kind", issue.id.kind.rawValue)
        if let place { line.add("path", exact: place) }
        line.add("detail", issue.detail)
        line.add("raised", Timestamp.rfc3339(issue.raisedAt))
        if let certificate = issue.certificate {
            line.add(
                "certificate",
                [
                    ("host", certificate.host), ("sha256", certificate.fingerprint), ("subject", certificate.subject),
                    ("issuer", certificate.issuer), ("validUntil", certificate.validUntil),
                ])
        }
        line.add("address", issue.address?.absoluteString)
        line.add("answers", issue.answers.map { ($0.answer.rawValue, $0.consequence) })
        return line.line
    }

    private func text(_ issue: Issue, _ place: [UInt8]?, _ detail: String) -> [UInt8] {
        let about = place.map { "\(ShownName.escaped($0))  " } ?? ""
        var text = "\(issue.id)  \(about)\(ShownName.escaped(Array(detail.utf8)))\n"
        if let certificate = issue.certificate {
            text += "    It is \(certificate.text), valid until \(ShownName.escaped(certificate.validUntil)).\n"
        }
        for choice in issue.answers { text += "    \(choice.answer.rawValue)  \(choice.consequence)\n" }
        if issue.address != nil {
            text += "    To follow it, give the remote its new URL: fp remote add --replace NAME URL\n"
        }
        return Array(text.utf8)
    }
}
