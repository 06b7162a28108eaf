import Foundation
import TestSupport
import Testing

/// A real tree with names that break programs, to a server and back: every byte, and the times where the server keeps
/// them.
///
/// Usually a part of it; with `FP_TEST_CAMPAIGN=full` this package with its repository and 2,000 odd names.
@Suite(.enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"), .serialized)
struct OddTreeTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    private static let odd = [
        "a b", " leading", "trailing ", "100%25", "%20", "%", "+", "#hash", "q?x", "semi;colon", "amp&ersand", "co:lon",
        "star*", "'single'", "\"double\"", "<angle>", "back\\slash", "caf\u{E9}", "cafe\u{301}", "\u{1F642}",
        "\u{65E5}\u{672C}",
        "...", "~tilde", "-dash", "[bracket]", "{brace}", "$dollar", "`tick`", "|pipe", "comma,", "=equals",
    ]

    /// Makes `tree`: files with odd names in folders with odd names.
    static func makeOddTree(in work: Workspace, count: Int) throws {
        for number in 0..<count {
            let name = odd[number % odd.count]
            try work.write(
                "tree/\(number / odd.count)/\(name)/\(number) \(name).txt",
                String(repeating: name, count: number * 7 % 50),
                modified: 1_000_000_000 + Double(number) * 12_345)
        }
    }

    private func makeTree() throws -> Int {
        let count = Campaign.isFull ? 2_000 : 150
        try Self.makeOddTree(in: work, count: count)
        let package = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let parts = Campaign.isFull ? "Sources Tests .git" : "Sources/FileProviding .git/HEAD .git/config"
        let copied = try work.program.shell(
            """
            cd "\(package)" && { [ -d .git ] || parts="Sources Tests"; } && tar -cf - ${parts:-\(parts)} |
                tar -xf - -C "\(work.folder.path)/tree"
            """)
        #expect(copied.status == 0, "\(copied.errors)")
        return count
    }

    @Test(arguments: ["APACHE", "SABRE", "WSGIDAV"])
    func comesBackAsItWent(name: String) throws {
        let server = try #require(TestServer(name))
        let count = try makeTree()
        let location = server.location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        let there = try work.fp("cp", "-r", "tree", location)
        #expect(there.status == 0, "\(there.errors)")
        let back = try work.fp("cp", "-r", location, "back")
        #expect(back.status == 0, "\(back.errors)")
        let difference = try work.program.shell("diff -r --no-dereference tree back")
        #expect(difference.status == 0, "\(difference.text.prefix(2_000))")
        let files = try work.program.shell("find back -type f | wc -l")
        #expect(try #require(Int(files.text.trimmingCharacters(in: .whitespacesAndNewlines))) > count)
        // A second run sends nothing.
        let again = try work.fp("cp", "-r", "--json", "tree", location)
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.objects.last?["copied"] as? Int == 0, "\(again.lines.last ?? "")")
        guard server.keepsTimes else { return }
        let times = "cd %@ && find . -type f -printf '%p %T@\\n' | sed 's/[.][0-9]*$//' | LC_ALL=C sort"
        let (before, after) = try (
            work.program.shell(times.replacing("%@", with: "tree")),
            work.program.shell(times.replacing("%@", with: "back"))
        )
        #expect(before.text == after.text)
    }
}

/// The same tree from each kind of place to each other one, byte by byte.
@Suite(.enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"), .serialized)
struct OddTreeBetweenTests {
    /// Where the tree comes from and where it goes; `nil` is this machine.
    struct Course: Sendable, CustomStringConvertible {
        let from: RemotePlace?
        let to: RemotePlace?

        var description: String { "\(from?.description ?? "local") to \(to?.description ?? "local")" }

        static let all: [Course] = {
            let places: [RemotePlace?] = [nil] + RemotePlace.all
            return places.flatMap { from in places.map { Course(from: from, to: $0) } }
        }()

        /// All pairs in the campaign; else one over each kind of border.
        static let chosen =
            Campaign.isFull
            ? all
            : all.filter { course in
                ["local to SSHD by libssh2", "SSHD by libssh2 to APACHE", "SABRE to SSHD by openssh"].contains(
                    course.description)
            }
    }

    private let work: Workspace

    init() throws { work = try Workspace() }

    @Test(arguments: Course.chosen)
    func arrivesAsItWas(course: Course) throws {
        try OddTreeTests.makeOddTree(in: work, count: Campaign.isFull ? 600 : 90)
        let name = "fp-\(UUID().uuidString)"
        let ends = [(course.from, "from"), (course.to, "to")].map { place, end in
            place.map { $0.location() + name + end } ?? end
        }
        // Of two transports the source's is used: a command has one.
        let arguments =
            try [course.from, course.to].compactMap { try $0?.arguments(in: work) }.first { !$0.isEmpty } ?? []
        func fp(_ command: String, _ words: String...) throws -> Program.Outcome {
            try work.program.run([command] + arguments + words)
        }
        defer { for end in ends where end.contains("://") { _ = try? fp("rm", "-rf", end) } }
        for step in [["tree", ends[0]], ends, [ends[1], "back"]] {
            let outcome = try fp("cp", "-r", step[0], step[1])
            #expect(outcome.status == 0, "\(course): \(step): \(outcome.errors)")
        }
        let difference = try work.program.shell("diff -r --no-dereference tree back")
        #expect(difference.status == 0, "\(course): \(difference.text.prefix(2_000))")
    }
}

extension TestServer {
    /// Whether the server keeps modification times that it is given; see Tests/Servers/README.md.
    fileprivate var keepsTimes: Bool { name == "WSGIDAV" }
}
