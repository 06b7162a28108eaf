import Foundation
import TestSupport
import Testing

/// Permissions of copies.
@Suite struct PermissionTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    /// Runs a script without root's right to bypass permissions.
    private func shell(_ script: String) throws -> Program.Outcome {
        let asUser = "setpriv --bounding-set=-dac_override,-dac_read_search -- bash -c"
        return try work.program.shell(getuid() == 0 ? "\(asUser) '\(script)'" : script)
    }

    private func modes(_ paths: String...) throws -> [String] {
        try work.program.shell("stat -c %a \(paths.joined(separator: " "))").lines
    }

    @Test(arguments: ["", "--verify hash", "--verify readback", "-v", "--names map"])
    func newFilesGetNoMoreThanTheMaskGives(options: String) throws {
        try work.write("s/f")
        let script = "chmod 755 s && chmod 644 s/f && umask 077 && fp cp \(options) s/f f && fp cp -r \(options) s d"
        let outcome = try work.program.shell(script)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try modes("f", "d", "d/f") == ["600", "700", "600"])
    }

    @Test(.enabled(if: TestServer("SSHD") != nil, "needs Scripts/test-servers"))
    func newFilesFromAServerGetNoMoreThanTheMaskGives() throws {
        let server = try #require(TestServer("SSHD"))
        let place = RemotePlace(server: server, transport: "libssh2")
        let access = try place.arguments(in: work)
        let location = server.location + "modes-\(UUID().uuidString)"
        defer { _ = try? work.program.run(["rm", "-rf"] + access + [location]) }
        try work.write("s/f")
        #expect(try work.program.shell("chmod 755 s && chmod 644 s/f").status == 0)
        #expect(try work.program.run(["cp", "-r"] + access + ["s", location]).status == 0)
        let arguments = access.joined(separator: " ")
        let outcome = try work.program.shell("umask 077 && fp cp -r \(arguments) \(location) d")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try modes("d", "d/f") == ["700", "600"])
    }

    /// The server copies by itself.
    @Test(.enabled(if: TestServer("SSHD") != nil, "needs Scripts/test-servers"))
    func `copies within a server have the permissions of any other copy`() throws {
        let server = try #require(TestServer("SSHD"))
        let access = try RemotePlace(server: server, transport: "libssh2").arguments(in: work).joined(separator: " ")
        let name = "modes-\(UUID().uuidString)"
        let (location, folder) = (server.location + name, server.folder.description + "/" + name)
        defer { _ = try? work.program.shell("fp rm -rf \(access) \(location)") }
        try work.write("s/f", "new")
        try work.write("s/g", "new")
        let outcome = try work.program.shell(
            """
            fp cp -r \(access) s \(location) && printf old > \(folder)/private && chmod 600 \(folder)/private
            chown --reference=\(folder)/f \(folder)/private; chmod 4777 \(folder)/f; chmod 666 \(folder)/g
            umask 027
            fp cp \(access) \(location)/f \(location)/new && fp cp -f \(access) \(location)/g \(location)/private \
                && fp cp -r \(access) \(location) \(location)-2 && fp rm -r \(access) \(location)-2/private \
                && stat -c %a \(folder)/new \(folder)/private \(folder)-2/f \(folder)-2/g; fp rm -rf \(access) \(location)-2
            """)
        #expect(outcome.text == "750\n600\n750\n640\n", "\(outcome.errors)")
    }

    @Test(.enabled(if: TestServer("SSHD") != nil, "needs Scripts/test-servers"))
    func newFilesOnAServerGetNoMoreThanTheMaskGives() throws {
        let server = try #require(TestServer("SSHD"))
        let access = try RemotePlace(server: server, transport: "libssh2").arguments(in: work)
        let name = "modes-\(UUID().uuidString)"
        defer { _ = try? work.program.run(["rm", "-rf"] + access + [server.location + name]) }
        try work.write("s/f")
        let arguments = access.joined(separator: " ")
        let outcome = try work.program.shell(
            "chmod 777 s && chmod 666 s/f && umask 027 && fp cp -r \(arguments) s \(server.location)\(name)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let folder = server.folder.description + "/" + name
        #expect(try modes(folder, folder + "/f") == ["750", "640"])
    }

    @Test(arguments: ["", "-v", "--verify hash"])
    func aNewFolderIsWritableByNobodyElseThanTheSource(options: String) throws {
        try work.write("s/in/f")
        try work.write("d/old")
        let script = "chmod 755 s s/in && chmod 644 s/in/f && umask 0 && fp cp -r \(options) s d/"
        #expect(try work.program.shell(script).status == 0)
        #expect(try modes("d/s", "d/s/in", "d/s/in/f") == ["755", "755", "644"])
    }

    @Test(
        .enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers"),
        arguments: ["", "--verify hash", "--verify readback"], ["local", "APACHE"])
    func whatReplacesAFileKeepsItsModeAndOwner(options: String, from: String) throws {
        try work.write("s", "new")
        try work.write("t", "old")
        var source = "s"
        if from != "local" {
            source = try #require(TestServer(from)).location + "mode-\(UUID().uuidString)"
            #expect(try work.fp("cp", "s", source).status == 0)
        }
        defer { if from != "local" { _ = try? work.fp("rm", source) } }
        let owner = getuid() == 0 ? "12345:12345" : "\(getuid()):\(getgid())"
        let outcome = try work.program.shell(
            "chown \(owner) t && chmod 640 t && fp cp --overwrite \(options) \(source) t && stat -c %u:%g:%a t")
        #expect(outcome.text == "\(owner):640\n", "\(outcome.errors)")
        #expect(work.read("t") == "new")
        #expect(try work.names() == ["s", "t"])
    }

    @Test func whatAFailedCopyMadeGoesWhateverItsFoldersPermissionsAre() throws {
        // Whatever the order, some folders are complete before the failing file.
        for number in 1...9 { try work.write("s/ro\(number)/f") }
        try work.write("s/z")
        defer { _ = try? work.program.shell("chmod -R u+rwX .") }
        let outcome = try shell("chmod 0 s/z; chmod 555 s/ro?; fp cp -r s d")
        #expect(outcome.status == 1 && outcome.errors.contains("s/z: permission denied"), "\(outcome.errors)")
        #expect(try work.names() == ["d", "s"])
        for number in 1...9 { #expect(work.read("d/ro\(number)/f") == "text\n") }
    }

    /// The folder has the name of an interrupted copy.
    @Test func whatAKilledCopyMadeGoesWhateverItsFoldersPermissionsAre() throws {
        let name = ".fp-\(String(repeating: "0", count: 13)).tmp"
        try work.write("\(name)/shut/in/f")
        defer { _ = try? work.program.shell("chmod -R u+rwX .") }
        let outcome = try shell("chmod 555 \(name)/shut/in; chmod 0 \(name)/shut; fp rm -r \(name)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.names() == [])
    }
}
