#if SecretService
import Foundation
import TestSupport
import Testing

/// Saved secrets in a desktop's keyring: gnome-keyring on a session bus of its own.
@Suite(.enabled(if: TestServer("APACHE_BASIC") != nil, "needs Scripts/test-servers"), .serialized)
struct KeyringTests {
    private let work: Workspace
    private let location: String
    private let password = TestServer.variable("PASSWORD")

    init() throws {
        work = try Workspace()
        let server = try #require(TestServer("APACHE_BASIC"))
        location = server.location.replacing("dav://", with: "dav://\(TestServer.variable("USER"))@")
    }

    /// Runs a script in a session of its own, whose keyring is the folder's.
    private func inSession(_ script: String, isLocked: Bool = false) throws -> Program.Outcome {
        let unlock = "printf opener | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 || exit 99"
        try work.write("session", "\(isLocked ? "" : unlock)\n\(script)\n")
        return try work.program.shell(
            "mkdir -p -m 700 run; XDG_RUNTIME_DIR=$PWD/run exec dbus-run-session -- bash session")
    }

    @Test func aSavedSecretIsInTheKeyring() throws {
        let saved = try inSession("FP_PASSWORD='\(password)' fp remote add srv \(location) && fp ls srv:")
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(!work.exists(".config/fp/credentials.sealed"))
        let later = try inSession("fp ls srv: && fp remote show srv")
        #expect(later.status == 0 && later.text.contains("password of"), "\(later.errors)")
        // Without the session, nobody has it.
        let outside = try work.fp("ls", "srv:")
        #expect(outside.status == 2 && outside.errors.contains("--password-file"), "\(outside.errors)")
        let removed = try inSession("fp remote remove srv && grep -c . .config/data/keyrings/login.keyring")
        #expect(removed.status == 0, "\(removed.errors)")
    }

    @Test func whatIsSealedIsFoundAndForgotten() throws {
        work.program.environment["FP_PASSWORD"] = password
        #expect(try work.fp("remote", "add", "srv", location).status == 0)
        work.program.environment["FP_PASSWORD"] = nil
        #expect(work.exists(".config/fp/credentials.sealed"))
        let list = try #require(work.read(".config/fp/remotes.json"))
        #expect(try inSession("fp ls srv: && fp remote remove srv").status == 0)
        try work.write(".config/fp/remotes.json", list)
        #expect(try work.fp("ls", "srv:").status == 2, "it is in the sealed file still")
        #expect(try inSession("fp ls srv:").status == 2, "it is in the keyring")
    }

    @Test func whatWasKeptWithoutTheKeyringIsNewer() throws {
        work.program.environment["FP_PASSWORD"] = password
        #expect(try work.fp("remote", "add", "srv", location).status == 0)
        work.program.environment["FP_PASSWORD"] = nil
        let shown = try #require(
            try JSONSerialization.jsonObject(with: work.fp("remote", "show", "srv").output) as? [String: Any])
        let id = try #require(shown["id"] as? String)
        let old = "printf old | secret-tool store --label=old xdg:schema swift-file-providers.Credential id \(id)"
        let outcome = try inSession("\(old) && fp ls srv:")
        #expect(outcome.status == 0, "\(outcome.errors)")
        try FileManager.default.removeItem(at: work.folder.appendingPathComponent(".config/fp/credentials.sealed"))
        let damaged = try inSession("fp ls srv:")
        #expect(damaged.status == 2 && damaged.errors.contains("holds no credential"), "\(damaged)")
    }

    // Nobody is there who could be asked for the keyring's password.
    @Test func aKeyringThatStaysLockedIsPassedBy() throws {
        #expect(try inSession("FP_PASSWORD='\(password)' fp remote add one \(location)").status == 0)
        let start = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1"
        #expect(try inSession("\(start); timeout 20 fp ls one:", isLocked: true).status == 2)
        let save = "FP_PASSWORD='\(password)' timeout 20 fp remote add two \(location)"
        let saved = try inSession("\(start); \(save)", isLocked: true)
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(work.exists(".config/fp/credentials.sealed"))
        #expect(try work.fp("ls", "two:").status == 0)
    }

    @Test func aBusWithoutAKeyringIsNoTrouble() throws {
        let saved = try work.program.shell(
            """
            mkdir services
            export XDG_DATA_DIRS="$PWD/services"
            exec dbus-run-session -- bash -c "FP_PASSWORD='\(password)' fp remote add srv \(location) && fp ls srv:"
            """)
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(work.exists(".config/fp/credentials.sealed"))
        #expect(try work.fp("ls", "srv:").status == 0)
    }
}
#endif
