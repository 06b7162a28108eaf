import Foundation
import TestSupport
import Testing

/// Transferring files between a vault and this machine, and what a vault reports about unknown items.
@Suite struct VaultFileTests {
    private let work: Workspace

    /// Creates a remote that is a local folder, and its vault.
    init() throws {
        work = try Workspace()
        try work.write("cloud/doc", "server's")
        try work.write("cloud/folder/inner", "inner")
        try #require(try work.fp("remote", "add", "cloud", "file://\(work.folder.path)/cloud").status == 0)
        try #require(try work.fp("vault", "open", "cloud").status == 0)
    }

    private func hide() throws {
        try FileManager.default.moveItem(
            at: work.folder.appending(path: "cloud"), to: work.folder.appending(path: "away"))
    }

    /// Returns the folder of the only vault.
    private func vault() throws -> URL {
        let folder = ".config/data/fp"
        return work.folder.appending(path: "\(folder)/\(try #require(work.names(folder).first))")
    }

    // MARK: Getting and putting

    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func `a full disk under a vault still lets look and get`() throws {
        let disk = try #require(SmallDisk())
        work.program.environment["XDG_DATA_HOME"] = disk.folder.description
        for command in [["open", "cloud"], ["sync", "cloud"], ["get", "cloud:doc", "first"]] {
            #expect(try work.program.run(["vault"] + command).status == 0)
        }
        try disk.fill()
        #expect(try work.fp("vault", "ls", "cloud:").text == "doc\nfolder/\n")
        #expect(try work.fp("vault", "status", "cloud").status == 0)
        let copy = try work.fp("vault", "get", "cloud:doc", "second")
        #expect(copy.status == 0 && work.read("second") == "server's", "\(copy.errors)")
        let other = try work.fp("vault", "get", "cloud:folder/inner", "third")
        #expect(other.status == 1 && other.errors.contains("no space left") && !work.exists("third"), "\(other.errors)")
        #expect(try work.fp("vault", "mkdir", "cloud:new").errors.contains("no space left"))
        try disk.empty()
        #expect(try work.fp("vault", "get", "cloud:folder/inner", "third").status == 0)
    }

    @Test func aFileGoesIntoAFolderOrToStandardOutput() throws {
        try FileManager.default.createDirectory(
            at: work.folder.appending(path: "here"), withIntermediateDirectories: false)
        #expect(try work.fp("vault", "get", "cloud:doc", "here/").status == 0)
        #expect(try work.fp("vault", "get", "cloud:folder/inner", "here").status == 0)
        #expect(work.read("here/doc") == "server's" && work.read("here/inner") == "inner")
        let missing = try work.fp("vault", "get", "cloud:doc", "nowhere/")
        #expect(missing.status == 1 && missing.errors.contains("`fp mkdir -p`"), "\(missing.errors)")
        let shown = try work.fp("vault", "get", "cloud:doc", "-")
        #expect(shown.status == 0 && shown.text == "server's" && !work.exists("-"))
    }

    @Test func `standard input becomes a file, which it cannot be in a folder without a name`() throws {
        #expect(try work.program.shell("printf new | fp vault put - cloud:new").status == 0)
        #expect(try work.program.shell("printf changed | fp vault put - cloud:doc").status == 0)
        #expect(work.read("cloud/new") == "new" && work.read("cloud/doc") == "changed")
        let refused = try work.program.shell("printf x | fp vault put - cloud:folder")
        #expect(refused.status == 1 && refused.errors.contains("standard input has no name"), "\(refused.errors)")
        #expect(try work.names("cloud/folder") == ["inner"])
        // A read error is no end of the file.
        let broken = try work.program.shell("fp vault put - cloud:broken < /")
        #expect(broken.status == 1 && !work.exists("cloud/broken"), "\(broken.errors)")
    }

    @Test func aFileIsReplacedInAFolderToo() throws {
        try work.write("folder/doc", "mine")
        #expect(try work.fp("vault", "put", "folder/doc", "cloud:").status == 0)
        #expect(work.read("cloud/doc") == "mine")
        try work.write("doc", "older")
        #expect(try work.fp("vault", "get", "cloud:doc", ".").status == 0)
        #expect(work.read("doc") == "mine")
    }

    @Test func `a file that comes to lie elsewhere is named where it is`() throws {
        try FileManager.default.removeItem(at: work.folder.appending(path: "cloud/folder"))
        try work.write("cloud/folder", "a file by now")
        try work.write("mine", "mine")
        let put = try work.fp("vault", "put", "mine", "cloud:folder/inner")
        #expect(put.errors.contains(#/cloud:folder \(.*\)/inner, since something else is there/#), "\(put.errors)")
        #expect(work.read("cloud/folder") == "a file by now")
    }

    @Test func `what the server no longer has is named once`() throws {
        try FileManager.default.removeItem(at: work.folder.appending(path: "cloud/doc"))
        #expect(
            try work.fp("vault", "get", "cloud:doc", "-").errors
                == "fp: vault get: cloud:doc: no such file or directory\n")
    }

    @Test func aFileThatSaysItIsEmptyIsRead() throws {
        #expect(try work.fp("vault", "put", "/proc/filesystems", "cloud:generated").status == 0)
        #expect(work.read("cloud/generated") == (try String(contentsOfFile: "/proc/filesystems", encoding: .utf8)))
    }

    // MARK: Folders

    @Test func missingFoldersAreMadeInTheVault() throws {
        try hide()
        try work.write("file")
        for command in [["mkdir", "cloud:p/q"], ["put", "file", "cloud:new/x"], ["mv", "cloud:doc", "cloud:new/x"]] {
            let refused = try work.program.run(["vault"] + command)
            #expect(
                refused.status == 1 && refused.errors.contains("`fp vault mkdir -p` makes one"), "\(refused.errors)")
        }
        let made = try work.fp("vault", "mkdir", "-p", "cloud:p/q/r")
        #expect(made.status == 0 && made.errors.split(separator: "\n").count == 1, "\(made.errors)")
        #expect(try work.fp("vault", "mkdir", "-p", "cloud:p/q/r", "cloud:folder").status == 0)
        #expect(try work.fp("vault", "mkdir", "-p", "cloud:doc").status == 1)
        #expect(try work.fp("vault", "mkdir", "cloud:folder").status == 1)
        try FileManager.default.moveItem(
            at: work.folder.appending(path: "away"), to: work.folder.appending(path: "cloud"))
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        #expect(work.exists("cloud/p/q/r"))
    }

    @Test func severalFoldersAreListedUnderTheirNames() throws {
        let listed = try work.fp("vault", "ls", "cloud:", "cloud:folder", "cloud:doc")
        #expect(listed.text == "cloud::\ndoc\nfolder/\n\ncloud:folder:\ninner\ndoc\n")
        #expect(try work.fp("vault", "ls", "--json", "cloud:", "cloud:folder").objects.count == 3)
    }

    @Test func aPinIsAcceptedWithoutTheServer() throws {
        try work.write("cloud/folder/second")
        try #require(try work.fp("vault", "sync", "cloud").status == 0)
        try hide()
        let pinned = try work.fp("vault", "pin", "cloud:folder")
        #expect(pinned.status == 0)
        #expect(
            pinned.errors == "fp: vault pin: cloud:folder: pinned; 2 files are fetched when the server can be reached\n"
        )
        try FileManager.default.moveItem(
            at: work.folder.appending(path: "away"), to: work.folder.appending(path: "cloud"))
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        #expect(try work.fp("vault", "status", "--json", "cloud").objects.first?["copies"] as? Int == 2)
    }

    // MARK: Unknown items

    @Test func aVaultWhoseDatabaseWasDamagedIsNotTakenForAnEmptyOne() throws {
        let database = try vault().appending(path: "database.sqlite")
        var bytes = try Data(contentsOf: database)
        for block in 0..<4 { bytes.replaceSubrange(block * 4096..<(block + 1) * 4096, with: Data(count: 4096)) }
        try bytes.write(to: database)
        for path in ["cloud:", "cloud:doc", "cloud:folder/inner"] {
            let listed = try work.fp("vault", "ls", path)
            #expect(listed.status == 1 && listed.text.isEmpty)
            #expect(listed.errors.contains("damaged") && listed.errors.hasSuffix("fp vault sync\n"), "\(listed.errors)")
            #expect(listed.errors.split(separator: "\n").count == 1, "\(listed.errors)")
        }
        #expect(try work.fp("vault", "get", "cloud:doc", "-").errors.contains("damaged"))
        #expect(try work.fp("vault", "status", "--json", "cloud").objects.first?["unlisted"] as? Int == 1)
        #expect(try work.fp("vault", "sync", "cloud").status == 1)
        #expect(try work.fp("vault", "ls", "cloud:").lines == ["doc", "folder/"])
        #expect(try work.fp("vault", "ls", "cloud:none").errors.contains("no such file"))
    }

    @Test func aFirstOpeningThatFailsLeavesNoVault() throws {
        #expect(try work.fp("remote", "add", "second", "file://\(work.folder.path)/nowhere").status == 0)
        let before = try work.names(".config/data/fp")
        #expect(try work.fp("vault", "open", "second").status == 2)
        #expect(try work.names(".config/data/fp") == before)
        let listed = try work.fp("vault", "ls", "second:")
        #expect(listed.status != 0 && listed.errors.contains("there is no vault"), "\(listed.errors)")
        // A vault that already existed is kept.
        try hide()
        #expect(try work.fp("vault", "open", "cloud").status != 0)
        #expect(try work.fp("vault", "ls", "cloud:").lines == ["doc", "folder/"])
    }
}
