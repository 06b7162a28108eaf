import Foundation
import Testing

@Suite struct ChangeTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    @Test func mkdir() throws {
        #expect(try work.fp("mkdir", "a").status == 0)
        let again = try work.fp("mkdir", "a", "b")
        #expect(again.status == 1)
        #expect(again.errors == "fp: mkdir: a: the item exists already\n")
        #expect(work.exists("b"))
        #expect(try work.fp("mkdir", "x/y").status == 1)
        #expect(try work.fp("mkdir", "-p", "x/y", "a").status == 0)
        #expect(work.exists("x/y"))
    }

    @Test func removing() throws {
        try work.write("d/e/f")
        try work.write("g")
        let refused = try work.fp("rm", "d")
        #expect(refused.status == 1)
        #expect(refused.errors == "fp: rm: d: it is a folder; -r removes it with everything below it\n")
        #expect(try work.fp("rm", "missing").status == 1)
        #expect(try work.fp("rm", "-f", "missing", "g").status == 0)
        #expect(try work.fp("rm", "-r", "d").status == 0)
        #expect(try work.names().isEmpty)
    }

    @Test(arguments: ["/", ".", "..", "sub/..", "mem:x/", "file:///", "usb:", "usb:/"])
    func rootsStay(location: String) throws {
        try work.write("sub/f")
        _ = try work.fp("remote", "add", "usb", "sub")
        let outcome = try work.fp("rm", "-rf", location)
        #expect(outcome.status == 1)
        #expect(work.exists("sub/f"))
    }

    @Test(arguments: ["usb:d/e/..", "usb:d/e/../", "usb:d/.", "file://HERE/sub/d/e/..", "file://HERE/sub/d/e/%2e%2E"])
    func nothingIsTakenAwayByDots(location: String) throws {
        try work.write("sub/d/e/f")
        _ = try work.fp("remote", "add", "usb", "sub")
        let location = location.replacing("HERE", with: work.folder.path)
        for command in [["rm", "-r", location], ["trash", "put", location], ["mv", location, "usb:new"]] {
            let outcome = try work.program.run(command)
            #expect(outcome.status == 1 && outcome.errors.contains("“.”"), "\(outcome)")
        }
        #expect(work.exists("sub/d/e/f"))
    }

    @Test func linksAreRemovedThemselves() throws {
        try work.write("d/f")
        #expect(try work.fp("ln", "-s", "d", "l").status == 0)
        #expect(try work.fp("rm", "l").status == 0)
        #expect(work.exists("d/f"))
        #expect(!work.exists("l"))
    }

    @Test func ln() throws {
        try work.write("d/f")
        #expect(try work.fp("ln", "-s", "../x/target", "d").status == 0)
        let link = work.folder.appendingPathComponent("d/target").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../x/target")
        #expect(try work.fp("ln", "-s", "f", "d/target").status == 1)
        #expect(try work.fp("ln", "-s", "f", "missing/").status == 1)
        #expect(!work.exists("missing"))
        #expect(try work.fp("ln", "a", "b").status == 64)
    }

    @Test func touch() throws {
        #expect(try work.fp("touch", "t").status == 0)
        #expect(work.read("t") == "")
        try work.write("u", "kept")
        #expect(try work.fp("mkdir", "d").status == 0)
        for name in ["u", "d"] {
            let path = work.folder.appendingPathComponent(name).path
            let old = Date(timeIntervalSince1970: 0)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
            #expect(try work.fp("touch", name).status == 0)
            let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            #expect(abs(try #require(time).timeIntervalSinceNow) < 60)
        }
        #expect(work.read("u") == "kept")
        #expect(try work.fp("ln", "-s", "u", "link").status == 0)
        #expect(try work.fp("touch", "link").status == 1)
    }

    /// Neither the link nor what it leads to.
    @Test(arguments: ["rm NAME", "rm -f NAME", "rm -r NAME", "rm -rf NAME", "mv NAME new", "mv -n NAME new"])
    func aSlashBehindWhatIsNoFolderTakesNothingAway(command: String) throws {
        try work.write("d/f")
        try work.write("f")
        for name in ["f/", "l/"] {
            let refused = try work.program.shell("ln -sfn d l; fp \(command.replacing("NAME", with: name))")
            #expect(refused.status == 1 && refused.errors.contains("not a folder"), "\(refused.errors)")
        }
        #expect(work.exists("l") && work.exists("d/f") && work.exists("f"))
    }

    @Test func aWorkingFolderIsNotTrashed() throws {
        try work.write("d/f")
        for name in [".", "..", "../d/."] {
            let refused = try work.program.shell("cd d && fp trash put \(name)")
            #expect(refused.status == 1 && refused.errors.contains("cannot be moved to the trash"), "\(refused.errors)")
        }
        #expect(work.exists("d/f"))
    }

    @Test func theTrashIsInTheHomeUnlessToldOtherwise() throws {
        work.program.environment["XDG_DATA_HOME"] = ""
        try work.write("old.txt")
        #expect(try work.fp("trash", "put", "old.txt").status == 0)
        #expect(work.exists(".local/share/Trash/files/old.txt") && !work.exists("old.txt"))
    }

    @Test func trash() throws {
        work.program.environment["XDG_DATA_HOME"] = work.folder.appendingPathComponent("data").path
        try work.write("old.txt", "old")
        #expect(try work.fp("trash", "put", "old.txt").status == 0)
        #expect(!work.exists("old.txt"))
        let item = try #require(
            try work.fp("trash", "list", "--json").objects.first {
                ($0["path"] as? String)?.hasSuffix("old.txt") == true
            })
        let id = try #require(item["id"] as? String)
        #expect(try work.fp("trash", "restore", id).status == 0)
        #expect(work.read("old.txt") == "old")
        #expect(try work.fp("trash", "restore", id).status == 1)
    }

    @Test func aTrashedNameIsExact() throws {
        work.program.environment["XDG_DATA_HOME"] = work.folder.appendingPathComponent("data").path
        let outcome = try work.program.shell("touch $'x\\xff'; fp trash put $'x\\xff' && fp trash list --json")
        let path = try #require(outcome.objects.first?["pathBase64"] as? String)
        #expect(
            try #require(Data(base64Encoded: path)).suffix(3) == Data([UInt8(ascii: "/"), UInt8(ascii: "x"), 0xFF]))
    }

    @Test(arguments: [
        ["share", "."], ["versions", "mem:x/a"], ["thumb", "mem:x/a.jpg"], ["info", "mem:x/a.jpg"],
        ["ln", "-s", "a", "dav://127.0.0.1:1/l"],
    ])
    func refusalsNameTheCapability(arguments: [String]) throws {
        let outcome = try work.program.run(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(" has no "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}
