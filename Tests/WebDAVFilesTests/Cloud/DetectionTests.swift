import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// Which server it is, and where the account's files are.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct DetectionTests {
    @Test(arguments: Face.allCases)
    func aServerWithoutAPathHasTheAccountsFilesAsRoot(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            try await provider.put("found", at: directory.appending("file"))
            let bare = try face.provider(at: face.base)
            #expect(try await bare.text(at: directory.appending("file")) == "found")
            #expect(try await bare.contentsOfDirectory(path: directory).map(\.name) == ["file"])
            let home = try #require(bare.baseURL)
            #expect(CloudAddress(home)?.path.isRoot == true, "\(home)")
            #expect(home.host() == face.base.host() && home.port == face.base.port)
        }
    }

    @Test(arguments: Face.allCases)
    func theProductIsToldInItsOwnName(face: Face) async throws {
        let characteristics = try await face.provider().characteristics(path: .root)
        #expect(characteristics.family?.lowercased() == "\(face)".lowercased())
        #expect(characteristics.propagatesDirectoryETags && characteristics.settableTimePrecision == 1_000_000_000)
    }

    @Test(arguments: Face.allCases)
    func detectionTakesItsRequestsOnceForAll(face: Face) async throws {
        let provider = try face.provider()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { _ = try await provider.copy().characteristics(path: .root) }
            }
            try await group.waitForAll()
        }
        #expect(provider.session.requestCount == 2, "status.php and capabilities")
    }

    @Test(arguments: Face.allCases)
    func aListingNeedsNoDetection(face: Face) async throws {
        let provider = try face.provider()
        _ = try await provider.contentsOfDirectory(path: .root)
        #expect(provider.session.requestCount == 1)
    }

    /// Over plain HTTP to another machine a password goes out only when it is asked for.
    @Test(arguments: Face.allCases, [true, false])
    func capabilitiesAreTheAccountsOwnAlsoWhereThePasswordWaits(face: Face, isBare: Bool) async throws {
        let url = isBare ? face.base : face.url
        var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
        (parts.host, parts.port) = ("cloud.example", nil)
        var configuration = WebDAVConfiguration(url: try #require(parts.url))
        configuration.http.proxy = face.base
        let provider = try WebDAVFileProvider(configuration: configuration, credential: Face.credential)
        let cloud = try #require(try await provider.cloud())
        #expect(cloud.capabilities == (try await face.provider().cloud())?.capabilities)
    }

    @Test(arguments: Face.allCases)
    func aWrongPasswordIsSaidToBeOne(face: Face) async throws {
        let provider = try face.provider(as: .password(user: "tester", password: "wrong"))
        let error = await #expect(throws: URLError.self) { try await provider.spaces() }
        #expect(error?.code == .userAuthenticationRequired)
    }

    @Test func aPageInPlaceOfStatusIsNoCloud() async throws {
        let server = try ScriptedResponder { request in
            request.method == "GET"
                ? .reply(200, headers: [("Content-Type", "text/html")], body: "<html>welcome</html>")
                : .reply(404)
        }
        let url = server.url.appending(path: "/")
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
        #expect(try await provider.cloud() == nil)
        await #expect(throws: CocoaError.self) { try await provider.trashedItems() }
    }

    @Test(arguments: [408, 425, 429, 503])
    func aCloudThatFailsForAMomentIsAskedAgain(status: Int) async throws {
        let hasFailed = Locked(false)
        let server = try ScriptedResponder { request in
            guard request.target.hasPrefix("/status.php") else {
                return .reply(200, body: #"{"ocs":{"meta":{"statuscode":200},"data":{"capabilities":{}}}}"#)
            }
            return hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                return hasFailed
                    ? .reply(200, body: #"{"versionstring":"1","productname":"Nextcloud"}"#) : .reply(status)
            }
        }
        defer { server.stop() }
        let url = server.url.appending(path: "remote.php/dav/files/anna/")
        var configuration = WebDAVConfiguration(url: url)
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let error = await #expect(throws: WebDAVError.self) { try await provider.cloud() }
        #expect(error?.statusCode == status)
        #expect(try await provider.cloud()?.dialect == .nextcloud)
    }

    @Test(arguments: [
        ("http://h/remote.php/dav/files/anna/a/b", "/", "/remote.php/dav/files/anna/", "/a/b"),
        ("http://h/cloud/remote.php/dav/files/anna", "/cloud/", "/cloud/remote.php/dav/files/anna/", "/"),
        ("http://h/remote.php/webdav/x", "/", "/remote.php/webdav/", "/x"),
        ("http://h/dav/spaces/a%24b/x%20y", "/", "/dav/spaces/a%24b/", "/x y"),
        ("http://h/remote.php/dav/spaces/a$b!c/", "/", "/remote.php/dav/spaces/a$b!c/", "/"),
    ])
    func aCloudsAddressSaysWhereThingsAre(text: String, installation: String, root: String, path: String) throws {
        let url = try #require(URL(string: text))
        let address = try #require(CloudAddress(url))
        #expect(address.installation == installation && address.root == root)
        #expect(address.path.description == path)
    }

    @Test(arguments: [
        "http://h/", "http://h/dav/x", "http://h/dav/files/x/y", "http://h/dav/spaces/plain/x",
        "http://h/remote.php/dav/files",
    ])
    func otherAddressesSayNothing(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(CloudAddress(url) == nil)
    }
}

/// Servers that do not say what they are.
@Suite struct SilentServerTests {
    private static let found = """
        <d:multistatus xmlns:d="DAV:"><d:response><d:href>/dav/</d:href><d:propstat><d:prop><d:resourcetype>
        <d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        </d:multistatus>
        """

    private func provider(_ server: ScriptedResponder) throws -> WebDAVFileProvider {
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry = .never
        return try WebDAVFileProvider(configuration: configuration, credential: nil)
    }

    /// What is wrong with `status.php` alone is nothing that a plain server's files are about.
    @Test(arguments: [
        ScriptedResponder.Script.raw("").then(.close), .reply(503), .reply(302, headers: [("Location", "/status.php")]),
        .reply(302, headers: [("Location", "http://sign-in.invalid/")]),
        .reply(302, headers: [("Location", "ftp://h/")]),
    ])
    func aPageThatCannotBeHadIsNoCloud(status: ScriptedResponder.Script) async throws {
        let server = try ScriptedResponder { request in
            request.target == "/status.php" ? status : .reply(207, headers: [("DAV", "1")], body: Self.found)
        }
        defer { server.stop() }
        let provider = try provider(server)
        #expect(try await provider.attributesOfItem(path: "dav/").isDirectory)
        #expect(try await provider.contentsOfDirectory(path: "dav/").isEmpty)
        #expect(server.requests.filter { $0.target == "/status.php" && $0.method == "GET" }.count == 1)
    }

    /// The address of a whole server does not show what it is: a restarting cloud must not be taken for a plain server.
    @Test(arguments: [ScriptedResponder.Script.reply(503), .reply(502), .raw("").then(.close)])
    func aCloudThatCannotAnswerNowIsNoPlainServer(trouble: ScriptedResponder.Script) async throws {
        let isUp = Locked(false)
        let server = try ScriptedResponder { request in
            switch (request.method, request.target) {
            case ("PROPFIND", "/"), ("OPTIONS", "/"): .reply(405)
            case _ where !isUp.withLock { $0 }: trouble
            case (_, "/status.php"): .reply(200, body: #"{"versionstring":"1","productname":"Nextcloud"}"#)
            case ("PROPFIND", "/remote.php/dav/files/anna/"):
                .reply(207, body: Self.found.replacing("/dav/", with: "/remote.php/dav/files/anna/"))
            case (_, let target) where target.hasPrefix("/ocs/v2.php/cloud/user"):
                .reply(200, body: #"{"ocs":{"meta":{"statuscode":200},"data":{"id":"anna"}}}"#)
            default: .reply(404)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(
            configuration: configuration, credential: .password(user: "anna", password: "p"))
        await #expect {
            try await provider.attributesOfItem(path: .root)
        } throws: {
            !$0.isUnsupported
        }
        isUp.withLock { $0 = true }
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        #expect(server.requests.last?.target == "/remote.php/dav/files/anna/")
    }

    /// Behind some proxies only the files are to be had.
    @Test func aCloudWithoutItsInterfaceStillTakesFiles() async throws {
        let server = try ScriptedResponder { request in
            switch (request.method, request.target) {
            case (_, "/status.php"): .reply(200, body: #"{"versionstring":"1","productname":"Nextcloud"}"#)
            case ("PUT", _), ("MKCOL", _): .reply(201)
            case ("PROPFIND", "/remote.php/dav/files/anna/"): .reply(207, body: Self.found)
            default: .reply(404)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url.appending(path: "remote.php/dav/files/anna/"))
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(
            configuration: configuration, credential: .password(user: "anna", password: "p"))
        try await provider.writeContents(path: "new.txt", contents: Data("new".utf8))
        try await provider.createDirectory(path: "folder")
        #expect(Set(["PUT", "MKCOL"]).isSubset(of: server.requests.map(\.method)))
    }
}
