import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TestServer("APACHE_TLS") != nil, "needs Scripts/test-servers"), .serialized)
struct CertificateTests {
    private let work: Workspace
    private let location: String
    private let fingerprint = TestServer.variable("TLS_FINGERPRINT")

    init() throws {
        work = try Workspace()
        location = try #require(TestServer("APACHE_TLS")).location
    }

    @Test func anUnknownOneIsRefusedInOneLine() throws {
        let outcome = try work.fp("ls", location)
        #expect(outcome.status == 2)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.errors.contains("--pin SHA256:\(fingerprint)"))
        #expect(outcome.errors.contains("--cacert FILE"))
    }

    @Test func itCanBeNamed() throws {
        #expect(try work.fp("ls", "--pin", "SHA256:\(fingerprint)", location).status == 0)
        #expect(try work.fp("ls", "--cacert", TestServer.variable("TLS_CERT"), location).status == 0)
        #expect(try work.fp("ls", "--pin", String(repeating: "0", count: 64), location).status == 2)
        #expect(try work.fp("ls", "--pin", "abc", location).status == 64)
    }

    @Test func `a file without certificates of signers is named`() throws {
        try work.write("empty.pem", "no certificate")
        for file in ["missing.pem", "empty.pem"] {
            let outcome = try work.fp("ls", "--cacert", file, location)
            #expect(outcome.status == 2 && outcome.errors.contains("can be read from \(file)"), "\(outcome.errors)")
        }
    }

    @Test func thePersonCanTrustIt() throws {
        let yes = try work.program.terminal(["ls", location], typing: "yes\\n")
        #expect(yes.status == 0, "\(yes.text)")
        #expect(yes.text.contains("SHA256:\(fingerprint)"))
        #expect(try work.program.terminal(["ls", location], typing: "no\\n").status == 2)
        #expect(try work.fp("ls", location).status == 2)
    }

    @Test func aVaultShowsWhatAnAnswerWouldTrust() throws {
        let saved = ["remote", "add", "srv", "--cacert", TestServer.variable("TLS_CERT"), location]
        #expect(try work.program.run(saved).status == 0)
        #expect(try work.fp("vault", "open", "srv").status == 0)
        #expect(try work.fp("remote", "add", "--replace", "srv", location).status == 0)
        #expect(try work.fp("vault", "sync", "srv").status != 0)
        let shown = try work.fp("vault", "conflicts", "srv")
        #expect(shown.text.contains("SHA256:\(fingerprint)") && shown.text.contains("valid until"), "\(shown)")
        let issue = try #require(try work.fp("vault", "conflicts", "--json", "srv").objects.first)
        #expect((issue["certificate"] as? [String: String])?["sha256"] == fingerprint, "\(issue)")
        let answered = try work.fp("vault", "resolve", "srv", "certificate-untrusted", "trust")
        #expect(answered.status == 0 && answered.errors.contains("trusts SHA256:\(fingerprint)"), "\(answered)")
        #expect(try work.fp("vault", "sync", "srv").status == 0)
        #expect(try work.fp("vault", "erase", "srv").status == 0)
    }

    @Test func aSavedRemoteKeepsTheTrust() throws {
        #expect(try work.fp("remote", "add", "srv", location).status == 0)
        #expect(try work.fp("ls", "srv:").status == 2)
        #expect(try work.program.terminal(["remote", "test", "srv"], typing: "yes\\n").status == 0)
        #expect(try work.fp("ls", "srv:").status == 0)
        #expect(try work.fp("remote", "show", "srv").text.contains(fingerprint))
    }
}
