import Foundation
import Testing

@Suite struct ListTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("d/a.txt", "hello\n", modified: 1_500_000_000.5)
        try work.write("d/page 10", "0123456789")
        try work.write("d/page 2", "")
        try work.write("d/.hidden/x")
        try work.write("d/sub/b")
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appendingPathComponent("d/link").path, withDestinationPath: "a.txt")
    }

    @Test func oneNamePerLine() throws {
        let outcome = try work.fp("ls", "d")
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(Set(outcome.lines) == ["a.txt", "page 10", "page 2", "sub/", "link"])
        #expect(try Set(work.fp("ls", "-a", "d").lines) == Set(outcome.lines + [".hidden/"]))
    }

    @Test func sorted() throws {
        #expect(try work.fp("ls", "--sort", "name", "d").lines == ["a.txt", "link", "page 2", "page 10", "sub/"])
        #expect(try work.fp("ls", "--sort", "size", "d").lines.first == "page 10")
        #expect(try work.fp("ls", "--sort", "time", "d").lines.last == "a.txt")
    }

    @Test func recursive() throws {
        #expect(try Set(work.fp("ls", "-R", "d").lines) == ["a.txt", "page 10", "page 2", "sub/", "sub/b", "link"])
        #expect(try work.fp("ls", "-Ra", "d").lines.contains(".hidden/x"))
    }

    @Test func aFileListsItself() throws {
        #expect(try work.fp("ls", "d/a.txt").text == "d/a.txt\n")
        #expect(try work.fp("ls", "-R", "d/a.txt").text == "d/a.txt\n")
    }

    @Test func filesComeBeforeFolders() throws {
        #expect(try work.fp("ls", "d/sub", "d/a.txt", "missing").text == "d/a.txt\n\nd/sub:\nb\n")
    }

    @Test func linksAreShownWhereTheyAreNotFollowed() throws {
        for (name, target) in [("to", "d/sub"), ("nowhere", "gone"), ("file", "d/a.txt")] {
            try FileManager.default.createSymbolicLink(
                atPath: work.folder.appendingPathComponent(name).path, withDestinationPath: target)
        }
        #expect(try work.fp("ls", "to").text == "b\n")
        #expect(try work.fp("ls", "nowhere").text == "nowhere\n")
        #expect(try work.fp("ls", "nowhere/").status == 1)
        #expect(try work.fp("ls", "to", "nowhere", "file").text == "nowhere\nfile\n\nto:\nb\n")
        for operands in [["to"], ["to", "nowhere"]] {
            let lines = try work.program.run(["ls", "-l"] + operands).lines
            #expect(lines.count == operands.count && lines[0].hasSuffix("  to -> d/sub"))
        }
        #expect(try work.fp("ls", "-l", "to/").lines.first?.hasSuffix("  b") == true)
    }

    @Test func long() throws {
        let lines = try work.fp("ls", "-l", "--sort", "name", "d").lines
        #expect(lines[0].hasPrefix("-rw"))
        #expect(lines[0].hasSuffix(" 6  2017-07-14 02:40  a.txt"))
        #expect(lines[1].hasPrefix("l"))
        #expect(lines[1].hasSuffix("  link -> a.txt"))
        #expect(lines[4].hasPrefix("d"))
        #expect(Set(lines.map { $0.distance(from: $0.startIndex, to: $0.range(of: "20")!.lowerBound) }).count == 1)
    }

    @Test func jsonLines() throws {
        let objects = try work.fp("ls", "--json", "--sort", "name", "d").objects
        #expect(objects.count == 6)
        let file = try #require(objects.first { $0["name"] as? String == "a.txt" })
        #expect(file["path"] as? String == "d/a.txt")
        #expect(file["type"] as? String == "regular")
        #expect(file["size"] as? Int == 6)
        #expect(file["modified"] as? String == "2017-07-14T02:40:00.5Z")
    }

    @Test func namesThatAreNoTextArriveByteForByte() throws {
        let outcome = try work.program.shell(
            #"mkdir n; touch "n/$(printf 'a\xff\nb')"; fp ls -0 n; fp cat "n/$(printf 'a\xff\nb')"; fp ls --json n"#)
        #expect(outcome.status == 0)
        #expect(outcome.output.starts(with: [0x61, 0xFF, 0x0A, 0x62, 0]))
        #expect(outcome.text.contains(#""nameBase64":"Yf8KYg==""#))
    }

    @Test func severalLocations() throws {
        let outcome = try work.fp("ls", "d/sub", "missing", "d/.hidden")
        #expect(outcome.text == "d/sub:\nb\n\nd/.hidden:\nx\n")
        #expect(outcome.errors == "fp: ls: missing: no such file or directory\n")
        #expect(outcome.status == 1)
    }

    @Test func tree() throws {
        let text = try work.fp("tree", "d").text
        #expect(
            text
                == "d\n├── a.txt\n├── link -> a.txt\n├── page 2\n├── page 10\n└── sub/\n    └── b\n\n1 directory, 5 files\n"
        )
        #expect(try work.fp("tree", "-L", "1", "d").text.contains("b\n") == false)
    }

    @Test func stat() throws {
        let text = try work.fp("stat", "d/a.txt", "d/link").text
        #expect(text.contains("size         6 bytes\n"))
        #expect(text.contains("modified     2017-07-14 02:40:00.5 +0000\n"))
        #expect(text.contains("type         symbolicLink\npoints to    a.txt\n"))
        #expect(try work.fp("stat", "--json", "d").objects.first?["type"] as? String == "directory")
    }

    @Test func diskUsage() throws {
        let lines = try work.fp("du", "d").lines
        #expect(lines.last == "26\td")
        #expect(Set(lines) == ["5\td/.hidden", "5\td/sub", "26\td"])
        #expect(try work.fp("du", "-s", "d", "d/a.txt").text == "26\td\n6\td/a.txt\n")
    }

    @Test func diskFree() throws {
        let volume = try #require(try work.fp("df", "--json", "d").objects.first)
        #expect((volume["total"] as? Int ?? 0) > 0)
        let used = try #require(volume["used"] as? Int)
        let share = try (used * 100) / (used + #require(volume["available"] as? Int)) + 1
        // Others write meanwhile.
        let shares = (share - 1...share + 1).map { " \($0)% " }
        let lines = try work.fp("df", "-h", ".").lines
        #expect(shares.contains { lines.last?.contains($0) ?? false }, "\(lines)")
        #expect(lines.count == 2)
        #expect(lines[1].hasSuffix(" ."))
        let missing = try work.fp("df", "missing")
        #expect(missing.status == 1)
        #expect(missing.errors == "fp: df: missing: no such file or directory\n")
    }

    @Test(arguments: ["dav://127.0.0.1:1/", "dav://127.0.0.1:1/d/", "dav://[::1]:1/", "gallery+http://[::1]:1/"])
    func whoIsAwayIsNamedAsItWasWritten(location: String) throws {
        let outcome = try work.fp("ls", location)
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("fp: ls: \(location): cannot connect"), "\(outcome.errors)")
    }

    @Test func aLocationThatIsNoneIsNamedItself() throws {
        try work.write("f")
        let outcome = try work.fp("cp", "f", "mem:")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("mem:") && !outcome.errors.contains("cp: f:"), "\(outcome.errors)")
    }
}
