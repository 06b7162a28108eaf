import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing

@testable import WebDAVFiles

/// What servers were seen to do that the contract does not ask.
@Suite struct OddServerTests {
    /// A server that says of an item what `look` makes of the request, of itself what `options` says, and answers the
    /// rest as `others` says.
    private func server(
        look: @escaping @Sendable (ScriptedRequest) -> String?,
        _ others: @escaping @Sendable (ScriptedRequest) -> ScriptedResponder.Script,
        options: [(String, String)] = [("DAV", "1"), ("Allow", "PUT, MOVE, PROPFIND")]
    ) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS": return .reply(200, headers: options)
            case "PROPFIND":
                guard let href = look(request) else { return .reply(404) }
                let type = href.hasSuffix("/") ? "<D:collection/>" : ""
                let properties = "<D:resourcetype>\(type)</D:resourcetype><D:getcontentlength>5</D:getcontentlength>"
                return .reply(
                    207, headers: [("Content-Type", "application/xml")],
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(href)</D:href><D:propstat>
                        <D:prop>\(properties)</D:prop><D:status>HTTP/1.1 200 OK</D:status>
                        </D:propstat></D:response></D:multistatus>
                        """)
            default: return others(request)
            }
        }
    }

    private func provider(of server: ScriptedResponder) throws -> WebDAVFileProvider {
        var configuration = WebDAVConfiguration(url: server.url.appending(path: "dav/"))
        configuration.http.retry.firstPause = 0
        return try WebDAVFileProvider(configuration: configuration, credential: nil)
    }

    /// Some show a folder as a page, under its plain address.
    @Test(arguments: ["/dav/item/", "/dav/item"])
    func aFoldersPageIsNotItsContents(href: String) async throws {
        let page = ScriptedResponder.Script.reply(200, headers: [("Content-Type", "text/html")], body: "<ul>")
        let server = try server(look: { _ in href }, { _ in page })
        defer { server.stop() }
        let provider = try provider(of: server)
        let text = try? await provider.contents(path: "item")
        #expect(text.map { String(decoding: $0, as: UTF8.self) } == (href.hasSuffix("/") ? nil : "<ul>"))
    }

    /// What a reply is about is asked while its body waits, more than fits between the two, on the only connection that
    /// there may be.
    @Test(.timeLimit(.minutes(5)))
    func aLookAtWhatAReplyIsAboutNeedsNoConnectionOfItsOwn() async throws {
        let body = String(repeating: "x", count: 8 << 20)
        let reply = ScriptedResponder.Script.reply(200, headers: [("Content-Location", "item.txt")], body: body)
        let server = try server(look: { $0.target }, { _ in reply })
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url.appending(path: "dav/"))
        configuration.http.maximumConnections = 1
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        #expect(try await provider.contents(path: "item").count == body.utf8.count)
        #expect(server.requests.contains { $0.method == "PROPFIND" && $0.target.hasSuffix("/item") })
    }

    /// A server that honors `If-Match` can keep what another client has just written; one that refuses every condition
    /// gets none, if the file is still the same.
    @Test(arguments: [false, true])
    func aRemovalIsConditionalWhereThatMayHelp(refusesAll: Bool) async throws {
        let isGone = Locked(false)
        let server = try server(look: { isGone.withLock { $0 } ? nil : $0.target }) { request in
            guard request.method == "DELETE", !refusesAll || request["If-Match"] == nil else { return .reply(412) }
            isGone.withLock { $0 = true }
            return .reply(204)
        }
        defer { server.stop() }
        let version = FileVersion(etag: ETag(rawValue: "\"a\""), size: 5)
        let context = OperationContext(options: OperationOptions(expecting: version))
        try await provider(of: server).perform(.remove("item"), in: context)
        let sent = server.requests.filter { $0.method == "DELETE" }.map { $0["If-Match"] }
        #expect(sent == (refusesAll ? ["\"a\"", nil] : ["\"a\""]))
    }

    /// As CivetWeb has none. Nothing stays, the old file does, and nothing more is sent.
    @Test(arguments: [501, 405], [true, false])
    func aServerWithoutMoveIsNamedAsThat(status: Int, replaces: Bool) async throws {
        let server = try server(look: { replaces || $0.target.contains(".fp-") ? $0.target : nil }) { request in
            switch request.method {
            case "PUT": .reply(201)
            case "MOVE": .reply(status, headers: [("Allow", "GET, PUT"), ("Allow", "DELETE, PROPFIND")])
            default: .reply(204)
            }
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        for _ in 0..<2 {
            await #expect {
                try await provider.writeContents(path: "file", contents: Data("bytes".utf8), overwrite: replaces)
            } throws: {
                $0.isUnsupported && $0.localizedDescription.contains("moves nothing (\(status))")
            }
        }
        #expect(server.requests.count { $0.method == "MOVE" } == 1)
        let sent = server.requests.filter { $0.method == "PUT" }.map(\.target)
        #expect(sent.count == 1 && sent[0].contains(".fp-"))
        #expect(server.requests.filter { $0.method == "DELETE" }.map(\.target) == sent)
    }

    /// What was written is gone before it gets its name: another node has it, or a virus scanner took it.
    @Test func aMoveOfBytesThatAreGoneIsNoSuccess() async throws {
        let isGone = Locked(false)
        let server = try server(look: { request in
            request.target.contains(".fp-") && isGone.withLock { $0 } ? nil : request.target
        }) { request in
            if request.method == "MOVE" { isGone.withLock { $0 = true } }
            return .reply(request.method == "MOVE" ? 404 : 201)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "file", contents: Data("bytes".utf8), overwrite: true)
        }
    }

    /// sabre/dav says 201 although the file system has refused the rename, and has removed the old file by then.
    @Test(arguments: [false, true])
    func aMoveThatWasNotDoneIsNoSuccess(replaces: Bool) async throws {
        let isMoved = Locked(false)
        let server = try server(
            look: { request in
                let isOld = replaces && !isMoved.withLock { $0 }
                return isOld || request.target.contains(".fp-") || request.target.hasSuffix("/") ? request.target : nil
            },
            { request in
                if request.method == "MOVE" { isMoved.withLock { $0 = true } }
                return .reply(request.method == "DELETE" ? 204 : 201)
            },
            options: [("DAV", "1, 3, extended-mkcol"), ("Allow", "PUT, MOVE, PROPFIND")])
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect {
            try await provider.writeContents(
                path: replaces ? "file" : "a:file", contents: Data("bytes".utf8), overwrite: replaces)
        } throws: {
            $0.localizedDescription.contains("did not move the new file")
                && $0.localizedDescription.contains(".fp-") == replaces
        }
        // Where the old file is gone, the new one is all that there is.
        #expect(server.requests.contains { $0.method == "DELETE" } == !replaces)
    }

    @Test func aMoveThatWasOnlyAcceptedIsWaitedFor() async throws {
        let looks = Locked(0)
        let server = try server { request in
            guard request.target.contains(".fp-") else { return request.target.hasSuffix("/") ? request.target : nil }
            return looks.withLock { looks in
                looks += 1
                return looks == 1 ? request.target : nil
            }
        } _: {
            .reply($0.method == "MOVE" ? 202 : 201)
        }
        defer { server.stop() }
        try await provider(of: server).writeContents(path: "file", contents: Data("bytes".utf8))
        #expect(looks.withLock { $0 } == 2)
    }

    @Test func aRemovalThatWasOnlyAcceptedIsWaitedFor() async throws {
        let looks = Locked(0)
        let server = try server { request in
            looks.withLock { looks in
                looks += 1
                return looks < 3 ? request.target : nil
            }
        } _: {
            .reply($0.method == "DELETE" ? 202 : 201)
        }
        defer { server.stop() }
        try await provider(of: server).removeItem(path: "file")
        #expect(looks.withLock { $0 } == 3)
        #expect(server.requests.filter { $0.method == "DELETE" }.count == 1)
    }

    /// Where a MOVE copies and then cannot remove what it copied, both are there.
    @Test func aMoveThatLeavesItsSourceIsTidiedUp() async throws {
        let isMoved = Locked(false)
        let server = try server { request in
            let isThere = request.target.hasSuffix("file") && isMoved.withLock { $0 }
            return isThere || request.target.contains(".fp-") || request.target.hasSuffix("/") ? request.target : nil
        } _: { request in
            if request.method == "MOVE" { isMoved.withLock { $0 = true } }
            return .reply(request.method == "DELETE" ? 204 : 201)
        }
        defer { server.stop() }
        try await provider(of: server).writeContents(path: "a:file", contents: Data("bytes".utf8))
        #expect(server.requests.last?.method == "DELETE" && server.requests.last?.target.contains(".fp-") == true)
    }

    /// WsgiDAV can take such a name only by PUT. Somebody else's file that has got it meanwhile stays, when nobody has
    /// heard so.
    @Test(arguments: ["other", "bytes and others", "by"])
    func aPutWhoseReplyIsLostTakesNobodysFileAway(present: String) async throws {
        let isSent = Locked(false)
        let wsgiDAV = [("Server", "WsgiDAV/4.3"), ("DAV", "1,2"), ("Allow", "PUT, MOVE, PROPFIND")]
        let server = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS": return .reply(200, headers: wsgiDAV)
            case "PUT":
                isSent.withLock { $0 = true }
                return ScriptedResponder.Script([.reset])
            case "GET": return .reply(200, headers: [("ETag", "\"1\"")], body: present)
            case "PROPFIND":
                guard isSent.withLock({ $0 }) else { return .reply(404) }
                return .reply(
                    207, headers: [("Content-Type", "application/xml")],
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(request.target)</D:href><D:propstat><D:prop>
                        <D:resourcetype/><D:getetag>"1"</D:getetag>
                        <D:getcontentlength>\(present.utf8.count)</D:getcontentlength>
                        </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
                        """)
            default: return .reply(204)
            }
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect(throws: (any Error).self) {
            try await provider.writeContents(path: "a;b", contents: Data("bytes".utf8))
        }
        #expect(server.requests.contains { $0.method == "DELETE" } == (present == "by"))
    }

    /// Where the old file is gone already, the new one is all that there is.
    @Test func aMoveThatRemovesAndIsThenUnknownKeepsTheNewFile() async throws {
        let isMoved = Locked(false)
        let server = try server(look: { request in
            request.target.contains(".fp-") || !isMoved.withLock { $0 } ? request.target : nil
        }) { request in
            if request.method == "MOVE" { isMoved.withLock { $0 = true } }
            return .reply(request.method == "MOVE" ? 501 : 201)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect {
            try await provider.writeContents(path: "file", contents: Data("bytes".utf8), overwrite: true)
        } throws: {
            $0.localizedDescription.contains("left as /.fp-")
        }
        #expect(!server.requests.contains { $0.method == "DELETE" })
    }

    /// ASGIWebDAV decodes a path twice: a new "%41" would be "A", and taking it away again would take another's "A".
    @Test func aNameThatWouldBeAnotherIsTriedOnAFileOfOurOwn() async throws {
        let names = Locked<Set<String>>(["/dav/", "/dav/A"])
        let server = try server {
            // As it understands it.
            let name = $0.target.removingPercentEncoding?.removingPercentEncoding ?? ""
            return names.withLock { $0.contains(name) } ? name : nil
        } _: { request in
            let name = request.target.removingPercentEncoding?.removingPercentEncoding ?? ""
            return names.withLock { names in
                switch request.method {
                case "PUT": names.insert(name)
                case "DELETE": names.remove(name)
                default:
                    names.remove(name)
                    names.insert(
                        URL(string: request["Destination"] ?? "")?.path.removingPercentEncoding ?? "")
                }
                return .reply(204)
            }
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        for path in ["%41", "%42", "x%"] as [ItemPath] {
            for kind in ["file", "directory", "moved"] {
                await #expect {
                    switch kind {
                    case "file": try await provider.writeContents(path: path, contents: Data("bytes".utf8))
                    case "directory": try await provider.createDirectory(path: path)
                    default: try await provider.moveItem(path: "A", to: path)
                    }
                } throws: {
                    // There is an "A", for which the server takes "%41".
                    let code = ($0 as? CocoaError)?.code
                    return code == .fileWriteInvalidFileName || path == "%41" && code == .fileReadInvalidFileName
                }
            }
        }
        #expect(names.withLock { $0 } == ["/dav/", "/dav/A"])
        // What it knows it need not try again.
        #expect(server.requests.count { $0.method == "MOVE" } == 1)
    }

    /// A server that cuts names keeps nothing of the trial; one that refuses to move a file alters nothing by that.
    @Test(arguments: [true, false])
    func aTrialLeavesNothingBehind(cuts: Bool) async throws {
        let names = Locked<Set<String>>(["/dav/"])
        let understood = { @Sendable (text: String) in
            (text.removingPercentEncoding ?? "").split(separator: ";")[0].description
        }
        let server = try server {
            let name = understood($0.target)
            return names.withLock { $0.contains(name) } ? name.replacing("&", with: "&amp;") : nil
        } _: { request in
            names.withLock { names in
                switch request.method {
                case "PUT": names.insert(understood(request.target))
                case "DELETE": names.remove(understood(request.target))
                default:
                    guard cuts else { return .reply(403) }
                    names.remove(understood(request.target))
                    names.insert(
                        understood(URL(string: request["Destination"] ?? "")?.path(percentEncoded: true) ?? ""))
                }
                return .reply(204)
            }
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect {
            try await provider.writeContents(path: "a;b&c", contents: Data("bytes".utf8))
        } throws: {
            let code: CocoaError.Code = cuts ? .fileWriteInvalidFileName : .fileWriteNoPermission
            return ($0 as? CocoaError)?.code == code
        }
        #expect(names.withLock { $0 } == ["/dav/"])
    }

    /// What is stored is not sent again because the server failed at giving it its name.
    @Test(arguments: [1, 9])
    func aMoveIsTriedAgainAlone(failures: Int) async throws {
        let moved = Locked(0)
        let server = try server { request in
            let isStaged = request.target.contains(".fp-") && moved.withLock { $0 <= failures }
            return isStaged || request.target.hasSuffix("/") ? request.target : nil
        } _: { request in
            guard request.method == "MOVE" else { return .reply(request.method == "PUT" ? 201 : 204) }
            return moved.withLock { moved in
                moved += 1
                return .reply(moved > failures ? 201 : 500)
            }
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        var failure: (any Error)?
        do { try await provider.writeContents(path: "f", contents: Data("bytes".utf8)) } catch { failure = error }
        #expect(server.requests.count { $0.method == "PUT" } == 1)
        #expect(server.requests.contains { $0.method == "DELETE" } == (failures > 1))
        #expect((failure == nil) == (failures == 1))
        #expect(failure?.localizedDescription.contains("stored, but not given its name") ?? true)
    }

    /// RFC 4918, section 9.9.4: a MOVE that failed may say so within a 207.
    @Test func aMoveIntoPlaceThatFailedWithinA207GivesNoFile() async throws {
        let server = try server {
            $0.target.contains(".fp-") || $0.target.hasSuffix("/") ? $0.target : nil
        } _: { request in
            guard request.method == "MOVE" else { return .reply(request.method == "PUT" ? 201 : 204) }
            return .reply(
                207, headers: [("Content-Type", "application/xml")],
                body: """
                    <D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/f</D:href>
                    <D:status>HTTP/1.1 403 Forbidden</D:status></D:response></D:multistatus>
                    """)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect {
            try await provider.writeContents(path: "f", contents: Data("bytes".utf8))
        } throws: {
            $0.localizedDescription.contains("done in part only") && $0.localizedDescription.contains("403")
        }
        #expect(server.requests.last?.method == "DELETE", "the bytes have no name")
    }

    /// mod_dav_svn escapes the tag of a name with "&" also where it is no XML; and a file that is another one by now.
    @Test(.enabled(if: TestServer("APACHE_SVN") != nil), arguments: [false, true])
    func whoseBytesHaveAnotherTagIsToldBySizeAndTime(changes: Bool) async throws {
        let (provider, directory) = try await repository()
        let path = try directory.appending("A&B")
        try await provider.writeContents(path: path, contents: Data("bytes".utf8))
        let context = OperationContext(
            options: OperationOptions(expecting: try await provider.attributesOfItem(path: path).version))
        let file = try LocalFileHandle.temporary()
        guard !changes else {
            try await provider.writeContents(path: path, contents: Data("other".utf8), overwrite: true)
            for isStream in [true, false] {
                await #expect {
                    if isStream {
                        _ = try await provider.read(path: path, range: .all, in: context)
                    } else {
                        _ = try await provider.read(path: path, range: .all, into: file, at: 0, in: context)
                    }
                } throws: {
                    $0.isItemChanged
                }
            }
            return
        }
        let contents = try await provider.read(path: path, range: .all, in: context)
        #expect(try await contents.collect() == Data("bytes".utf8))
        #expect(try await provider.read(path: path, range: .all, into: file, at: 0, in: context).length == 5)
    }

    /// mod_dav_svn removes what is to be replaced, and then fails.
    @Test(.enabled(if: TestServer("APACHE_SVN") != nil), arguments: [true, false])
    func whatTheServerHasRemovedForAMoveIsReplacedAllTheSame(isMove: Bool) async throws {
        let (provider, directory) = try await repository()
        let (old, new) = try (directory.appending("old"), directory.appending("new"))
        try await provider.writeContents(path: old, contents: Data("old".utf8))
        try await provider.writeContents(path: new, contents: Data("new".utf8))
        if isMove {
            try await provider.moveItem(path: new, to: old, overwrite: true)
        } else {
            try await provider.copyItem(path: new, to: old, overwrite: true)
        }
        #expect(try await provider.contents(path: old) == Data("new".utf8))
        let names = try await provider.contentsOfDirectory(path: directory).map(\.name).sorted()
        #expect(names == (isMove ? ["old"] : ["new", "old"]))
    }

    /// A folder of this test in a Subversion repository.
    private func repository() async throws -> (WebDAVFileProvider, ItemPath) {
        let (provider, directory) = (try provider("APACHE_SVN"), try ItemPath(validating: "/odd-\(UUID())"))
        try await provider.createDirectory(path: directory)
        return (provider, directory)
    }

    /// copyparty with the right to write, but not to move or delete.
    @Test func whoMayNotRenameIsToldAndLeavesOneFileAtMost() async throws {
        let server = try server {
            $0.target.contains(".fp-") || $0.target.hasSuffix("/") ? $0.target : nil
        } _: { request in
            .reply(request.method == "PUT" ? 201 : 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url.appending(path: "dav/"))
        configuration.http.retry.firstPause = 0
        let provider = try WebDAVFileProvider(
            configuration: configuration, credential: .password(user: "u", password: "p"))
        for name in ["a", "b"] {
            await #expect {
                try await provider.writeContents(path: ItemPath(validating: name), contents: Data("bytes".utf8))
            } throws: {
                ($0 as? CocoaError)?.code == .fileWriteNoPermission && "\($0)".contains("not rename")
            }
        }
        #expect(server.requests.count { $0.method == "PUT" && $0["Authorization"] != nil } == 1)
    }

    /// As behind a proxy that is reached by another name or port (RFC 4918, section 9.8.5).
    @Test(arguments: [400, 403, 502])
    func aServerThatKnowsItselfByAnotherAddressIsGivenThePath(status: Int) async throws {
        let hasMoved = Locked(false)
        let server = try server { request in
            // Once: there is another file under the old name for the next move.
            if request.target.hasSuffix("/b%20c") {
                return hasMoved.withLock { hasMoved in
                    defer { hasMoved = false }
                    return hasMoved ? request.target : nil
                }
            }
            return request.target.hasSuffix("/") || request.target.hasSuffix("/a") ? request.target : nil
        } _: { request in
            guard request["Destination"]?.hasPrefix("/dav/") == true else { return .reply(status) }
            hasMoved.withLock { $0 = true }
            return .reply(201)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        for _ in 1...2 { try await provider.moveItem(path: "a", to: "b c") }
        let destinations = server.requests.compactMap { $0["Destination"] }
        let whole = server.url.absoluteString + "dav/b%20c"
        #expect(destinations == [whole, "/dav/b%20c", "/dav/b%20c"])
    }

    /// Copyparty answers 201 to a COPY of an empty folder, of which it makes nothing.
    @Test func aServerWhoseWordIsNoProofIsNotBelieved() async throws {
        let server = try server { request in
            ["/dav/", "/dav/a"].contains(request.target) ? request.target : nil
        } _: { _ in
            .reply(201)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect {
            try await provider.copyItem(path: "a", to: "b")
        } throws: {
            "\($0)".contains("the server reported success")
        }
    }

    /// dufs, which writes into the final name and ignores `Overwrite`.
    @Test func whoStandsBehindNginxIsNotTakenForIt() async throws {
        let isMoved = Locked(false)
        let server = try server(
            look: { request in
                let isStaged = request.target.contains(".fp-") && !isMoved.withLock { $0 }
                return isStaged || request.target.hasSuffix("/") ? request.target : nil
            },
            { request in
                if request.method == "MOVE" { isMoved.withLock { $0 = true } }
                return .reply(201)
            },
            options: [
                ("Server", "nginx/1.22.1"), ("DAV", "1, 2, 3"),
                ("Allow", "GET,HEAD,PUT,OPTIONS,DELETE,PATCH,PROPFIND,COPY,MOVE,CHECKAUTH,LOGOUT"),
            ])
        defer { server.stop() }
        try await provider(of: server).writeContents(path: "f", contents: Data("bytes".utf8), overwrite: true)
        let written = server.requests.filter { $0.method == "PUT" }.map(\.target)
        #expect(written.count == 1 && written[0].contains(".fp-"))
    }

    /// AList, whose replies to OPTIONS are those of `rclone serve webdav`: it replaces what is there, copies under the
    /// old name and says 201 to all of it.
    @Test func aForkOfGosWebDAVIsNotTrusted() async throws {
        let server = try server(
            look: { ["/dav/", "/dav/a", "/dav/b"].contains($0.target) ? $0.target : nil }, { _ in .reply(201) },
            options: [
                ("Allow", "OPTIONS, LOCK, DELETE, PROPPATCH, COPY, MOVE, UNLOCK, PROPFIND"), ("DAV", "1, 2"),
                ("MS-Author-Via", "DAV"),
            ])
        defer { server.stop() }
        let provider = try provider(of: server)
        await #expect {
            try await provider.moveItem(path: "a", to: "b")
        } throws: {
            $0.isFileExists
        }
        await #expect {
            try await provider.moveItem(path: "a", to: "none/a")
        } throws: {
            $0.isNoSuchFile
        }
        #expect(!server.requests.contains { $0.method == "MOVE" })
        await #expect {
            try await provider.copyItem(path: "a", to: "c")
        } throws: {
            "\($0)".contains("the server reported success")
        }
    }

    /// Nextcloud refuses to remove a Team folder, and would let each of its members be removed.
    @Test(arguments: [401, 403], ["/dav/folder", "/dav/folder/shared"])
    func whatIsRefusedItselfIsNotEmptied(status: Int, refused: String) async throws {
        let server = try server(look: { request in
            guard request["Depth"] == "1" else { return request.target + "/" }
            return request.target + (request.target == "/dav/folder/" ? "shared/" : "file")
        }) { request in
            .reply(request.target == refused ? status : request.target == "/dav/folder" ? 500 : 204)
        }
        defer { server.stop() }
        await #expect(throws: (any Error).self) { try await provider(of: server).removeItem(path: "folder") }
        let removed = server.requests.filter { $0.method == "DELETE" }.map(\.target)
        #expect(removed.last == refused && Set(removed).isSubset(of: ["/dav/folder", refused]))
    }

    @Test func anotherVersionIsNotRemovedWhereTheServerKnowsNoConditions() async throws {
        let server = try server(look: { $0.target }) { _ in .reply(204) }
        defer { server.stop() }
        let options = OperationOptions(expecting: FileVersion(etag: ETag(rawValue: "\"1\""), size: 4))
        await #expect {
            try await provider(of: server).perform(.remove("file"), in: OperationContext(options: options))
        } throws: {
            $0.isItemChanged
        }
        #expect(!server.requests.contains { $0.method == "DELETE" })
    }

    @Test(arguments: [true, false])
    func missingFoldersAreMadeWhereThatIsAsked(isMove: Bool) async throws {
        let names = Locked<Set<String>>(["/dav/", "/dav/file"])
        let server = try server { request in
            names.withLock { names in [request.target, request.target + "/"].first { names.contains($0) } }
        } _: { request in
            let place = URL(string: request["Destination"] ?? request.target)?.path(percentEncoded: true) ?? ""
            let folder = "/" + place.split(separator: "/").dropLast().joined(separator: "/") + "/"
            return names.withLock { names in
                guard names.contains(folder) else { return .reply(409) }
                names.insert(place)
                return .reply(201)
            }
        }
        defer { server.stop() }
        let operation: FileOperationType =
            isMove ? .move(source: "file", destination: "a/b/c") : .copy(source: "file", destination: "a/b/c")
        let context = OperationContext(options: OperationOptions(createsParents: true))
        try await provider(of: server).perform(operation, in: context)
        #expect(names.withLock { $0 } == ["/dav/", "/dav/file", "/dav/a/", "/dav/a/b/", "/dav/a/b/c"])
    }

    /// A gateway that did not get the reply says so with 502: what was replaced is not replaced again.
    @Test func aMoveWhoseReplyAGatewayMissedIsNotSentInAnotherForm() async throws {
        let names = Locked<Set<String>>(["/dav/", "/dav/a", "/dav/b"])
        let server = try server { request in
            names.withLock { $0.contains(request.target) } ? request.target : nil
        } _: { _ in
            names.withLock { $0 = ["/dav/", "/dav/b"] }
            return .reply(502)
        }
        defer { server.stop() }
        await #expect(throws: (any Error).self) {
            try await provider(of: server).moveItem(path: "a", to: "b", overwrite: true)
        }
        #expect(server.requests.count { $0.method == "MOVE" } == 1)
    }

    @Test(arguments: [400, 403, 502])
    func aFormOfAddressThatHasWorkedIsNotDoubtedLater(status: Int) async throws {
        let hasMoved = Locked(false)
        let server = try server { request in
            let isThere =
                ["/", "/a"].contains { request.target.hasSuffix($0) }
                || request.target.hasSuffix("/b") && hasMoved.withLock { $0 }
            return isThere ? request.target : nil
        } _: { request in
            guard request["Destination"]?.hasSuffix("/b") == true else { return .reply(status) }
            hasMoved.withLock { $0 = true }
            return .reply(201)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        try await provider.moveItem(path: "a", to: "b")
        await #expect(throws: (any Error).self) { try await provider.moveItem(path: "a", to: "c") }
        #expect(server.requests.count { $0["Destination"] != nil } == 2)
    }

    /// Where the name cannot even be asked for, nothing is sent.
    @Test func aNameThatTheServerRefusesIsAskedForFirst() async throws {
        let server = try ScriptedResponder { request in
            request.method == "OPTIONS" ? .reply(200, headers: [("DAV", "1"), ("Allow", "PUT, MOVE")]) : .reply(400)
        }
        defer { server.stop() }
        await #expect(throws: (any Error).self) {
            try await provider(of: server).writeContents(path: "a;b", contents: Data("bytes".utf8))
        }
        #expect(!server.requests.contains { $0.method == "PUT" })
    }

    /// What comes before a server can do to the range of a PUT.
    enum RangeFate: CaseIterable {
        case dropped, refused, droppedLater
    }

    /// As behind a proxy that drops `Content-Range`, so that each part is taken for the whole file, or refuses it.
    @Test(arguments: RangeFate.allCases)
    func aPartThatIsTakenForTheWholeFileGetsNoName(fate: RangeFate) async throws {
        let stored = Locked(0)
        let server = try ScriptedResponder { request in
            let isTemporary = request.target.contains(".fp-")
            switch request.method {
            case "OPTIONS":
                return .reply(
                    200,
                    headers: [("DAV", "1,2"), ("DAV", "<http://apache.org/dav/propset/fs/1>"), ("Allow", "PUT, MOVE")])
            case "PUT":
                let range = request["Content-Range"]
                if fate == .refused, range != nil { return .reply(400) }
                let isKept = fate == .droppedLater && range == "bytes 1-1/2"
                stored.withLock { $0 = isKept ? 2 : request.body.count }
                return .reply(isTemporary ? 204 : 400)
            case "PROPFIND" where isTemporary:
                let length = stored.withLock { $0 }
                return .reply(
                    207, headers: [("Content-Type", "application/xml")],
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(request.target)</D:href><D:propstat><D:prop>
                        <D:resourcetype/><D:getcontentlength>\(length)</D:getcontentlength></D:prop>
                        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
                        """)
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let (data, context) = (Data(count: 9 << 20), OperationContext())
        let provider = try provider(of: server)
        guard fate == .droppedLater else {
            for _ in 1...2 {
                await #expect {
                    _ = try await provider.beginPartialWrite(path: "f", length: 9 << 20, resuming: nil, in: context)
                } throws: {
                    $0.isUnsupported
                }
            }
            // Tried once, and nothing is left.
            #expect(server.requests.count { $0["Content-Range"] != nil } == 1)
            return #expect(server.requests.last?.method == "DELETE")
        }
        let upload = try await provider.beginPartialWrite(
            path: "f", length: Int64(data.count), resuming: nil, in: context)
        try await upload.append(ByteStream(data), in: context)
        await #expect {
            _ = try await upload.commit(in: context)
        } throws: {
            $0.localizedDescription.contains("stored 1048576 of 9437184 bytes")
        }
        #expect(!server.requests.contains { $0.method == "MOVE" })
    }

    /// Behind a proxy that does not tell the server by what address it is reached.
    @Test(
        .enabled(if: TestServer("APACHE_HIDING") != nil),
        arguments: [("APACHE", false), ("APACHE", true), ("LIGHTTPD", false)])
    func whatAProxyHidesIsFoundOut(name: String, locks: Bool) async throws {
        var configuration = try provider("\(name)_HIDING").configuration
        configuration.locksWrites = locks
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let directory = ItemPath(unchecked: Array("hiding-\(UUID())".utf8))
        let (old, new, large) = try (directory.appending("old é"), directory.appending("new"), directory.appending("l"))
        try await provider.createDirectory(path: directory)
        for bytes in ["first", "second"] {
            try await provider.writeContents(path: old, contents: Data(bytes.utf8), overwrite: true)
        }
        try await provider.copyItem(path: old, to: new)
        try await provider.moveItem(path: old, to: new, overwrite: true)
        #expect(try await provider.contents(path: new) == Data("second".utf8))
        if name == "APACHE" {
            let context = OperationContext(options: OperationOptions(overwrite: true))
            for _ in 1...2 {
                let upload = try await provider.beginPartialWrite(
                    path: large, length: 9 << 20, resuming: nil, in: context)
                try await upload.append(ByteStream(Data(count: 9 << 20)), in: context)
                #expect(try await upload.commit(in: context).size == 9 << 20)
            }
        }
        // Without its slash, a folder is found by a redirection to the address that the server knows.
        #expect(try await provider.attributesOfItem(path: directory).isDirectory)
        let names = try await provider.contentsOfDirectory(path: directory).map(\.name).sorted()
        #expect(names == (name == "APACHE" ? ["l", "new"] : ["new"]))
        try await provider.removeItem(path: directory)
    }

    @Test(.enabled(if: TestServer("NGINX_TIGHT") != nil))
    func aServerThatTakesNoLargeRequestIsNotFull() async throws {
        await #expect {
            try await provider("NGINX_TIGHT").writeContents(path: "large", contents: Data(count: 3 << 20))
        } throws: {
            ($0 as? CocoaError)?.code == .fileWriteUnknown && $0.localizedDescription.contains("as large as this")
        }
    }

    /// nginx with its own dav module alone.
    @Test(.enabled(if: TestServer("NGINX_BARE") != nil))
    func whatRefusesToListIsNoDirectory() async throws {
        for path in ["file", "folder/"] as [ItemPath] {
            await #expect {
                _ = try await provider("NGINX_BARE").attributesOfItem(path: path)
            } throws: {
                $0.isUnsupported && $0.localizedDescription.contains("refuses PROPFIND")
            }
        }
    }

    private func provider(_ name: String) throws -> WebDAVFileProvider {
        let server = try #require(TestServer(name))
        return try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
    }

    /// Servers name mod_dav's class along with their own, since a file manager looked for it.
    @Test func whoNamesModDavsClassAmongOthersIsNotTakenForIt() async throws {
        func family(_ fields: [(String, String)]) async throws -> ServerFamily {
            let server = try ScriptedResponder { _ in .reply(200, headers: fields + [("Allow", "PUT, MOVE")]) }
            defer { server.stop() }
            return try await provider(of: server).family(near: "f")
        }
        let token = "<http://apache.org/dav/propset/fs/1>"
        #expect(try await family([("DAV", "1,2"), ("DAV", token)]) == .modDAV)
        #expect(try await family([("DAV", "1,2,\(token)"), ("Server", "Apache/2.4 mod_perl")]) == .unknown)
    }

    @Test(arguments: [200, 405, 501])
    func aServerThatTellsNothingIsAskedOnce(status: Int) async throws {
        let server = try ScriptedResponder { _ in .reply(status) }
        defer { server.stop() }
        let provider = try provider(of: server)
        for path in ["d/a", "d/b"] as [ItemPath] { #expect(try await provider.family(near: path) == .unknown) }
        #expect(server.requests.count == 1)
        _ = try await provider.family(near: "other/a")
        #expect(server.requests.count == 2)
    }
}
