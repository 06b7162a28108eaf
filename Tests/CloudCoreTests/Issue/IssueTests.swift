import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite struct IssueTests {
    @Test func `an issue outlives its program, is told to a delegate, and is settled by an answer`() async throws {
        let server = try Server()
        try await server.core.vault.database.write {
            try $0.raise(CloudCore.Issue.ID(.databaseRebuilt), "lost and found")
        }
        let delegate = RecordingIssueDelegate()
        try await server.core.setIssueDelegate(delegate)
        #expect(delegate.events == ["raised database-rebuilt lost and found"])
        // The same trouble again is no news; what it says now is.
        for detail in ["lost and found", "found"] {
            try await server.core.vault.database.write { try $0.raise(CloudCore.Issue.ID(.databaseRebuilt), detail) }
            try await server.core.issueBoard.follow()
        }
        try await server.core.resolve(CloudCore.Issue.ID(.databaseRebuilt), with: .acknowledge)
        try await server.core.resolve(CloudCore.Issue.ID(.databaseRebuilt), with: .acknowledge)
        #expect(
            delegate.events == [
                "raised database-rebuilt lost and found", "raised database-rebuilt found", "settled database-rebuilt",
            ])
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `an issue's name is a word that gives the issue back`() {
        for id in [
            CloudCore.Issue.ID(.databaseRebuilt), CloudCore.Issue.ID(.databaseRebuilt, about: LocalID(rawValue: 7)),
        ] {
            #expect(CloudCore.Issue.ID(id.description) == id)
        }
        #expect(CloudCore.Issue.ID("database-rebuilt:x") == nil)
        #expect(CloudCore.Issue.ID("") == nil)
    }
}

/// Keeps what it is told of issues.
final class RecordingIssueDelegate: IssueDelegate {
    private let recorded = Locked<[String]>([])
    private let (stream, continuation) = AsyncStream.makeStream(of: [String].self)

    var events: [String] { recorded.withLock { $0 } }

    func issueWasRaised(_ issue: CloudCore.Issue) { note("raised \(issue.id) \(issue.detail)") }
    func issueWasSettled(_ issue: CloudCore.Issue) { note("settled \(issue.id)") }

    func reaches(_ isReached: ([String]) -> Bool) async {
        if isReached(events) { return }
        for await events in stream where isReached(events) { return }
    }

    private func note(_ event: String) {
        continuation.yield(
            recorded.withLock { recorded in
                recorded.append(event)
                return recorded
            })
    }
}
