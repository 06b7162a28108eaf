import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing
import WebDAVFiles

/// Requests that were carried out, or were not, although the reply says otherwise, or nothing.
@Suite struct MissingAnswerTests {
    /// What a server has: its replies follow from that, as long as `script` has none.
    private func server(
        _ items: Locked<Set<String>>,
        _ script: @escaping @Sendable (ScriptedRequest) -> ScriptedResponder.Script?
    ) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            if let reply = script(request) { return reply }
            guard request.method == "PROPFIND" else {
                return .reply(request.method == "OPTIONS" ? 200 : 201, headers: [("DAV", "1")])
            }
            let folder = request.target.hasSuffix("/") ? request.target : request.target + "/"
            let isFolder = items.withLock { $0.contains(folder) }
            guard isFolder || items.withLock({ $0.contains(request.target) }) else { return .reply(404) }
            let members = items.withLock { items in
                items.filter { $0.hasPrefix(folder) && !$0.dropFirst(folder.count).dropLast().contains("/") }
            }
            let shown = request["Depth"] == "0" || !isFolder ? [isFolder ? folder : request.target] : members.sorted()
            let responses = shown.map { href in
                "<D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:resourcetype>"
                    + (href.hasSuffix("/") ? "<D:collection/>" : "")
                    + "</D:resourcetype><D:getcontentlength>0</D:getcontentlength></D:prop>"
                    + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
            }
            return .reply(207, body: #"<D:multistatus xmlns:D="DAV:">\#(responses.joined())</D:multistatus>"#)
        }
    }

    private func provider(of server: ScriptedResponder) throws -> WebDAVFileProvider {
        var configuration = WebDAVConfiguration(url: server.url.appending(path: "dav/"))
        configuration.http.retry.firstPause = 0
        return try WebDAVFileProvider(configuration: configuration, credential: nil)
    }

    @Test(arguments: [502, 504, nil])
    func aMoveThatWasDoneIsDoneWithoutAnAnswer(status: Int?) async throws {
        let items = Locked<Set<String>>(["/dav/", "/dav/old"])
        let server = try server(items) { request in
            guard request.method == "MOVE" else { return nil }
            items.withLock { $0 = ["/dav/", "/dav/new"] }
            return status.map { ScriptedResponder.Script.reply($0) } ?? .raw("").then(.close)
        }
        defer { server.stop() }
        try await provider(of: server).moveItem(path: "old", to: "new")
        #expect(items.withLock { $0 } == ["/dav/", "/dav/new"])
    }

    /// The other forms of the destination find no source any more.
    @Test func aMoveThatWasDoneBehindAGatewayIsDone() async throws {
        let items = Locked<Set<String>>(["/dav/", "/dav/old"])
        let server = try server(items) { request in
            guard request.method == "MOVE" else { return nil }
            return items.withLock { items in
                guard items.contains("/dav/old") else { return .reply(404) }
                items = ["/dav/", "/dav/new"]
                return .reply(502)
            }
        }
        defer { server.stop() }
        try await provider(of: server).moveItem(path: "old", to: "new")
        #expect(server.requests.filter { $0.method == "MOVE" }.count > 1)
    }

    @Test func aMoveOfWhichNobodyKnowsFails() async throws {
        let server = try server(Locked(["/dav/", "/dav/old"])) { $0.method == "MOVE" ? .reply(504) : nil }
        defer { server.stop() }
        await #expect {
            try await provider(of: server).moveItem(path: "old", to: "new")
        } throws: {
            $0.localizedDescription.contains("504")
        }
    }

    @Test func aRemovalWhoseFailureStandsInAPropertyStatusFails() async throws {
        let server = try server(Locked(["/dav/", "/dav/item"])) { request in
            // A server whose success replies are reliable.
            if request.method == "OPTIONS" {
                return .reply(
                    200,
                    headers: [
                        ("DAV", "1,2"), ("DAV", "<http://apache.org/dav/propset/fs/1>"),
                        ("Allow", "OPTIONS,GET,HEAD,POST,DELETE,TRACE,PROPFIND,PROPPATCH,COPY,MOVE,LOCK,UNLOCK"),
                    ])
            }
            guard request.method == "DELETE" else { return nil }
            return .reply(
                207,
                body: """
                    <D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/item</D:href><D:propstat><D:prop/>
                    <D:status>HTTP/1.1 423 Locked</D:status></D:propstat></D:response></D:multistatus>
                    """)
        }
        defer { server.stop() }
        await #expect {
            try await provider(of: server).removeItem(path: "item")
        } throws: {
            ($0 as? CocoaError)?.filePath == "/item" && $0.localizedDescription.contains("423")
        }
    }

    /// A folder that was copied without what is in it is no copy; a client can copy it item by item then.
    @Test func aCopyWithoutMembersIsUnsupported() async throws {
        let items = Locked<Set<String>>(["/dav/", "/dav/a/", "/dav/a/file"])
        let server = try server(items) { request in
            switch request.method {
            case "COPY": items.withLock { _ = $0.insert("/dav/b/") }
            case "DELETE": items.withLock { _ = $0.remove("/dav/b/") }
            default: return nil
            }
            return .reply(201)
        }
        defer { server.stop() }
        await #expect {
            try await provider(of: server).copyItem(path: "a", to: "b")
        } throws: {
            $0.isUnsupported
        }
        #expect(items.withLock { $0 } == ["/dav/", "/dav/a/", "/dav/a/file"])
    }

    /// The new name was given, only the temporary one could not be taken away.
    @Test func aFileThatHasItsNameIsWrittenAlthoughItKeepsAnother() async throws {
        let items = Locked<Set<String>>(["/dav/"])
        let server = try server(items) { request in
            switch request.method {
            case "PUT":
                items.withLock { _ = $0.insert(request.target) }
                return .reply(201)
            case "MOVE":
                items.withLock { _ = $0.insert("/dav/file") }
                return .reply(
                    207,
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(request.target)</D:href>
                        <D:status>HTTP/1.1 423 Locked</D:status></D:response></D:multistatus>
                        """)
            case "DELETE":
                items.withLock { _ = $0.remove(request.target) }
                return .reply(204)
            default: return nil
            }
        }
        defer { server.stop() }
        try await provider(of: server).writeContents(path: "file", contents: Data())
        #expect(items.withLock { $0 } == ["/dav/", "/dav/file"])
    }

    /// Somebody else's file of the same size is there, and the MOVE failed because of it.
    @Test func aFileThatHasNotGotItsNameIsNotWritten() async throws {
        let items = Locked<Set<String>>(["/dav/"])
        let server = try server(items) { request in
            switch request.method {
            case "PUT":
                items.withLock { _ = $0.insert(request.target) }
                return .reply(201)
            case "MOVE":
                items.withLock { _ = $0.insert("/dav/file") }
                return .reply(
                    207,
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/file</D:href>
                        <D:status>HTTP/1.1 423 Locked</D:status></D:response></D:multistatus>
                        """)
            case "DELETE":
                items.withLock { _ = $0.remove(request.target) }
                return .reply(204)
            default: return nil
            }
        }
        defer { server.stop() }
        await #expect {
            try await provider(of: server).writeContents(path: "file", contents: Data())
        } throws: {
            $0.isFileExists || $0.localizedDescription.contains("423")
        }
        #expect(items.withLock { $0 } == ["/dav/", "/dav/file"])
    }

    /// Some look at a collection's members whatever they are asked.
    @Test func anItemIsDescribedByItsOwnResponse() async throws {
        let server = try ScriptedResponder { request in
            guard request.method == "PROPFIND" else { return .reply(200, headers: [("DAV", "1")]) }
            let responses = ["/dav/d/x", "/dav/d/", "/dav/d/x", "/dav/d/y"].map { href in
                "<D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:resourcetype>"
                    + (href.hasSuffix("/") ? "<D:collection/>" : "")
                    + "</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
            }
            return .reply(207, body: #"<D:multistatus xmlns:D="DAV:">\#(responses.joined())</D:multistatus>"#)
        }
        defer { server.stop() }
        let provider = try provider(of: server)
        #expect(try await provider.attributesOfItem(path: "d").isDirectory)
        #expect(try await provider.contentsOfDirectory(path: "d/").map(\.name) == ["x", "y"])
    }
}
