import FileProviding
import Foundation
import Testing

@testable import HTTPFiles

@Suite struct ParsingTests {
    @Test(arguments: [("\"a\"", "\"a\""), ("W/\"a\"", "W/\"a\""), ("a", "\"a\""), ("", nil)])
    func tagsHaveTheirQuotes(field: String, tag: String?) throws {
        let url = try #require(URL(string: "http://host/"))
        #expect(HTTPResponse(status: 200, headers: ["ETag": field], url: url).etag?.rawValue == tag)
    }

    @Test(arguments: [(500, 500, true), (500, 700, false), (500, 0, true), (0, 0, true)])
    func timesAreComparedAsFarAsBothTellThem(mine: Int64, theirs: Int64, isSame: Bool) {
        func version(_ milliseconds: Int64) -> FileVersion {
            var version = FileVersion()
            version.modificationTime = FileTime(nanoseconds: 1_700_000_000_000_000_000 + milliseconds * 1_000_000)
            return version
        }
        let isFound = (try? confirm(version(mine), expected: version(theirs), path: "f")) != nil
        #expect(isFound == isSame)
    }

    @Test func queryItemsAreEncodedForEveryServer() throws {
        let url = try #require(URL(string: "http://host/a%20b?x=1#end"))
        #expect(url.appendingQuery("token", "a+b;c&d=e/é %").query() == "x=1&token=a%2Bb%3Bc%26d%3De/%C3%A9%20%25")
        #expect(url.appendingQuery("list").absoluteString == "http://host/a%20b?x=1&list#end")
        #expect(url.appendingQuery("list").appendingQuery("y", "").query() == "x=1&list&y=")
        let odd = try ItemPath(validatingBytes: Array("a/".utf8) + [0xFF, UInt8(ascii: "%")])
        #expect(url.appendingQuery("path", odd).query() == "x=1&path=/a/%FF%25")
        #expect(url.appendingQuery("path", .root).query() == "x=1&path=/")
        #expect(url.appendingQuery("path", "id:7").query() == "x=1&path=id%3A7")
    }

    @Test func findsChallenges() {
        var headers: HTTPHeaders = ["WWW-Authenticate": #"Bearer realm="a, Basic", error="x\",Negotiate ""#]
        #expect(Challenge.schemes(in: headers) == ["bearer"])
        headers.add("www-authenticate", #"Digest realm="r", qop="auth,auth-int", nonce=abc, Basic realm="b""#)
        #expect(Challenge.schemes(in: headers) == ["bearer", "digest", "basic"])
        #expect(Challenge.digestRealm(in: headers) == "\"r\"")
    }

    @Test func readsHeads() {
        var head = ReplyHead()
        func feed(_ line: String) -> ReplyHead.Step { Array(line.utf8).withUnsafeBytes { head.consume($0) } }
        for line in ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 207 Multi-Status\r\n", "ETag:  \"a\" \r\n"] {
            #expect(feed(line) == .more)
        }
        #expect(feed("\r\n") == .complete)
        _ = feed("Trailer: late\r\n")
        #expect(head.status == 207)
        #expect(head.headers == ["ETag": "\"a\""])
        #expect(head.sawContinue)
    }

    @Test(arguments: [
        ("<p2>; rel=\"next\"", "http://h/d/p2"), ("</x?y=<1>; rel=prev, </z>; rel=next", "http://h/z"),
        ("<a>; rel=\"first\", <b>; title=\"x\"; rel=\"up next\"", "http://h/d/b"), ("<a>; rel=prev", nil),
        ("<http://h:80/e>; rel=next", "http://h:80/e"), ("nonsense", nil),
    ])
    func theNextPageIsFoundAmongOtherLinks(_ field: String, _ expected: String?) throws {
        let url = try #require(URL(string: "http://h/d/c"))
        let response = HTTPResponse(status: 207, headers: ["Link": field], url: url)
        #expect(try response.nextPage()?.absoluteString == expected)
    }

    @Test(arguments: ["https://h/e", "http://h:81/e", "//other/e"])
    func aPageOfAnotherOriginIsRefused(address: String) throws {
        let url = try #require(URL(string: "http://h/d/c"))
        let response = HTTPResponse(status: 207, headers: ["Link": "<\(address)>; rel=next"], url: url)
        let error = #expect(throws: URLError.self) { try response.nextPage() }
        #expect(error?.code == .badServerResponse)
    }

    /// A server may send less than all the rest, and need not tell a size (RFC 9110, section 15.3.7).
    @Test(arguments: [ByteRange.from(5), .range(5..<10)])
    func aPartOfUnknownWholeIsNotTakenForTheRest(range: ByteRange) throws {
        let url = try #require(URL(string: "http://a.example/f"))
        let response = HTTPResponse(
            status: 206, headers: ["Content-Range": "bytes 5-9/*", "Content-Length": "5"], url: url)
        let isExact = range == .range(5..<10)
        let reply = try ReadReply(response, FileVersion(), range: range, path: "f")
        #expect(reply.head.length == (isExact ? 5 : nil) && reply.head.offset == 5 && reply.head.totalSize == nil)
        let whole = try ReadReply(response, FileVersion(), range: range, path: "f", expecting: FileVersion(size: 10))
        #expect(whole.head.length == 5)
        let longer = try? ReadReply(response, FileVersion(), range: range, path: "f", expecting: FileVersion(size: 20))
        #expect(longer?.head.length == (isExact ? 5 : nil))
    }

    /// PHP's HTTP_WebDAV_Server says 200 to a part, and leaves out the unit.
    @Test func aPartIsKnownByItsContentRange() throws {
        let url = try #require(URL(string: "http://a.example/f"))
        for field in ["bytes 3-6/11", "3-6/11"] {
            let response = HTTPResponse(
                status: 200, headers: ["Content-Range": field, "Content-Length": "4"], url: url)
            let reply = try ReadReply(response, FileVersion(), range: .range(3..<7), path: "f")
            #expect(reply.skipping == 0 && reply.head.length == 4 && reply.head.totalSize == 11)
        }
    }

    /// ASGIWebDAV refuses what reaches beyond the end; others say that they send it, and send nothing.
    @Test(arguments: [(416, "*/11", "0"), (416, "bytes */11", "0"), (206, "bytes 5-104/11", "0")])
    func bytesThatThereAreAreNotTakenForNone(status: Int, field: String, length: String) throws {
        let url = try #require(URL(string: "http://a.example/f"))
        let response = HTTPResponse(
            status: status, headers: ["Content-Range": field, "Content-Length": length], url: url)
        let error = #expect(throws: (any Error).self) {
            try ReadReply(response, FileVersion(), range: .range(5..<105), path: "f")
        }
        #expect(error?.isOtherRange == true)
        if status == 416 {
            #expect(try ReadReply(response, FileVersion(), range: .from(11), path: "f").head.length == 0)
        }
    }

    @Test func readsRetryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(RetryPolicy.retryAfter(["Retry-After": "7"], now: now) == 7)
        #expect(RetryPolicy.retryAfter(["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"], now: now) == 10)
        #expect(RetryPolicy.retryAfter(["Retry-After": "Sun, 06 Nov 1994 08:49:07 GMT"], now: now) == 0)
        #expect(RetryPolicy.retryAfter(["Retry-After": "soon"], now: now) == nil)
        #expect(RetryPolicy.retryAfter(["Retry-After": "inf"], now: now) == nil)
        #expect(RetryPolicy.retryAfter(["Retry-After": "1e300"], now: now) == 1e9)
    }

    @Test func comparesOrigins() throws {
        func origin(_ text: String) throws -> Origin? { Origin(try #require(URL(string: text))) }
        #expect(try origin("https://A.example/x") == origin("HTTPS://a.example:443/y"))
        #expect(try origin("https://a.example") != origin("http://a.example"))
        #expect(try origin("http://a.example") != origin("http://a.example:81"))
        #expect(try origin("http://127.0.0.1:81")?.isPrivate == true)
        #expect(try origin("http://127.evil.example")?.isPrivate == false)
        #expect(try origin("http://[::1]:81")?.isPrivate == true)
    }

    @Test func findsTheKeyInACertificate() {
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            [tag] + (content.count < 128 ? [UInt8(content.count)] : [0x81, UInt8(content.count)]) + content
        }
        let key = element(0x30, element(0x30, [6, 1, 42]) + element(3, Array(repeating: 7, count: 140)))
        let others = [element(0x30, []), element(0x30, [1, 1, 0]), element(0x30, []), element(0x30, [5, 0])]
        for version in [element(0xA0, element(2, [2])), []] {
            let signed = version + element(2, [1]) + others.joined() + key + element(0xA3, [])
            let whole = Data(element(0x30, element(0x30, signed)))
            #expect(PresentedCertificate.publicKeyInfo(in: whole) == Data(key))
            for count in 0..<whole.count { #expect(PresentedCertificate.publicKeyInfo(in: whole.prefix(count)) == nil) }
        }
        #expect(PresentedCertificate.publicKeyInfo(in: Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])) == nil)
    }

    @Test func watchesThePace() {
        let start = ContinuousClock.now
        func complaint(_ steps: [(at: Double, bytes: Int64, heldUp: Bool)]) -> String? {
            var watch = DeadlineWatch(HTTPDeadlines(idle: 5, minimumRate: 100, rateWindow: 10))
            for step in steps {
                let now = start + .seconds(step.at)
                if let words = watch.look(at: step.bytes, isHeldUp: step.heldUp, now: now) { return words }
            }
            return nil
        }
        let silence = (0...10).map { (at: Double($0), bytes: Int64(0), heldUp: false) }
        #expect(complaint(silence) == "no byte for 5 s")
        #expect(complaint(silence.map { ($0.at, $0.bytes, true) }) == nil)
        let crawl = (0...20).map { (at: Double($0), bytes: Int64($0 * 50), heldUp: false) }
        #expect(complaint(crawl) == "fewer than 100 bytes/s over 10 s")
        #expect(complaint((0...20).map { (at: Double($0), bytes: Int64($0 * 150), heldUp: false) }) == nil)
        // Four silent seconds, a long pause of our own, four silent seconds: never five in a row.
        let mixed: [(at: Double, bytes: Int64, heldUp: Bool)] = [
            (0, 0, false), (4, 0, false), (5, 5000, false), (60, 5000, true), (64, 5000, false),
        ]
        #expect(complaint(mixed) == nil)
    }

    @Test func waitsForAnAnswer() {
        let start = ContinuousClock.now
        func complaint(answerTime: TimeInterval?, until end: Int) -> String? {
            var watch = DeadlineWatch(HTTPDeadlines(idle: 5, minimumRate: 100, rateWindow: 10))
            for second in 0...end {
                let now = start + .seconds(second)
                if let words = watch.look(at: 7, isHeldUp: false, answerTime: answerTime, now: now) { return words }
            }
            return nil
        }
        #expect(complaint(answerTime: 60, until: 59) == nil)
        #expect(complaint(answerTime: 60, until: 60) == "no byte for 60 s")
        #expect(complaint(answerTime: 1, until: 60) == "no byte for 5 s")
        #expect(complaint(answerTime: nil, until: 60) == "no byte for 5 s")
    }
}
