import Foundation
import Testing

/// Local copies that are running or were interrupted.
@Suite(.serialized) struct TransfersTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    @Test func aSecondRunSaysInJSONThatItIsRunning() throws {
        try work.write("big", String(repeating: "x", count: 4 << 20))
        let running = try work.program.start("cp", "--bwlimit", "100K", "big", "copy")
        #expect(running.wait { (try? work.fp("transfers", "list").lines.count) == 1 })
        let second = try work.fp("cp", "--json", "--bwlimit", "100K", "big", "copy")
        #expect(second.status == 1 && second.errors.contains("running already"), "\(second.errors)")
        #expect(second.objects.map { $0["event"] as? String } == ["failed", "report"])
        #expect(second.objects.last?["failed"] as? Int == 1)
        kill(running.process.processIdentifier, SIGINT)
        #expect(try running.wait().status == 130)
    }

    @Test func whereNoneCanBeThereAreNone() throws {
        work.program.environment["XDG_STATE_HOME"] = "/dev/null"
        let outcome = try work.fp("transfers", "list")
        #expect(outcome.status == 0 && outcome.text.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    }

    @Test func oneIsResumedInAFolderOfAnyName() throws {
        let outcome = try work.program.shell(
            """
            set -e
            d="$(printf 'a\\377b')"; mkdir "$d"; cd "$d"; head -c 3000000 /dev/urandom > big
            fp cp -q --bwlimit 1M big copy & for i in {1..200}; do fp transfers list | grep -q . && break; sleep .05; done
            kill -KILL $!; wait $! || true
            test ! -e copy
            id="$(fp transfers list --json | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')"
            pwd="$PWD"; cd /
            fp transfers resume "$id" >&2; cmp "$pwd/big" "$pwd/copy"; fp transfers list; ls -A "$pwd"
            """)
        #expect(outcome.status == 0 && outcome.text == "big\ncopy\n", "\(outcome)")
    }
}
