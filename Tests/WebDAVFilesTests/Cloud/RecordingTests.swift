import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// Every recorded exchange is decoded by what decodes the real one.
@Suite struct RecordingTests {
    private static let refusals: [(String, Int, String?)] = [
        ("copy-exists", 412, "Could not overwrite Resource ./Docs/copy.txt"),
        ("delete-missing", 404, "Resource not found"),
        ("get-range-unsatisfiable", 416, nil),
        ("mkcol-exists", 405, "The resource you tried to create already exists"),
        ("mkcol-no-parent", 409, "create container: error: precondition failed: no"),
        ("preview-unsupported", 404, "File with name empty.dat could not be located"),
        ("propfind-infinity", 400, "Invalid Depth header value: infinity"),
        ("propfind-missing", 404, "Resource not found"),
        ("propfind-wrong-password", 401, "Authentication error"),
        ("put-locked", 423, nil), ("put-no-parent", 409, nil), ("put-stale-if-match", 409, nil),
        ("put-wrong-checksum", 400, "The computed checksum does not match the one received from the client."),
        ("capabilities-unauthenticated", 401, nil), ("tus-patch-wrong-offset", 409, nil),
    ]
    private static let ocsRefusals: [(String, Int, String)] = [
        ("share-link-without-password", 400, "missing required password"),
        ("share-user-unknown", 404, "user not found"),
    ]
    private static let writes = [
        "put-created", "put-empty", "put-image", "put-replaced", "put-name-a20b23ctxt", "put-name-c3a9nfctxt",
        "put-name-ecc81nfdtxt", "put-name-f09fa680bin", "put-name-plusamptxt", "copy-created", "move-created",
    ]
    private static let others = [
        "capabilities", "delete", "drives", "get-range", "lock", "mkcol-created", "mkcol-nested", "preview",
        "propfind-depth0-root", "propfind-depth1", "search-report", "share-deleted", "share-link-created",
        "share-update", "share-user-created", "sharees", "shares-list", "shares-with-me", "status", "tus-create",
        "tus-create-empty", "tus-patch-1", "tus-patch-2", "user",
    ]

    @Test func everyRecordingIsTested() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Recording.folder.path)
        let names = Set(files.filter { $0.hasSuffix(".http") }.map { String($0.dropLast(5)) })
        let tested = Self.refusals.map(\.0) + Self.ocsRefusals.map(\.0) + Self.writes + Self.others
        #expect(names == Set(tested) && tested.count == names.count && !names.isEmpty)
    }

    @Test(arguments: refusals.indices)
    func aRefusalSpeaksInTheServersWords(index: Int) throws {
        let (name, status, words) = Self.refusals[index]
        let recording = try Recording(name)
        let error = WebDAVError(status: recording.status, path: recording.target, data: recording.body)
        #expect(error.statusCode == status && error.serverDescription == words)
    }

    @Test(arguments: ocsRefusals.indices)
    func aRefusedShareSpeaksInTheServersWords(index: Int) async throws {
        let (name, status, words) = Self.ocsRefusals[index]
        let server = try Recording(name).server()
        let provider = try Recording(name).provider(server)
        let error = await #expect(throws: WebDAVError.self) {
            try await provider.ocs(provider.ocsRequest(.post, server.url, "x", form: []), as: OCSShare.self)
        }
        #expect(error?.statusCode == status && error?.serverDescription == words)
    }

    @Test(arguments: writes)
    func aWriteTellsTheNewVersion(name: String) async throws {
        let recording = try Recording(name)
        let server = try recording.server()
        let provider = try recording.provider(server)
        let time = FileTime(seconds: 1_700_000_000)
        let file = provider.written("file", 12, recording.response, ItemAttributes(modificationTime: time))
        #expect(file.etag?.rawValue == recording.response.headers["Oc-Etag"])
        #expect((file.modificationTime == time) == (name == "put-created"), "only where it was accepted")
        if recording.method != "PUT" { #expect(recording.response.headers["Oc-Fileid"]?.contains("!") == true) }
    }

    @Test func aListingIsReadWithAllThatItTells() async throws {
        let recording = try Recording("propfind-depth1")
        let server = try recording.server()
        let provider = try recording.provider(server)
        let files = try await provider.contentsOfDirectory(path: "Docs")
        #expect(files.count == 9, "\(files.map(\.name))")
        let hello = try #require(files.first { $0.name == "hello.txt" })
        #expect(hello.size == 12 && hello.etag?.rawValue == #""60eec8d39dee50aceee78b7caac69944""#)
        #expect(hello.checksums.map(\.algorithm) == [.sha1, .md5, .adler32])
        #expect(hello.owner == "Admin" && hello[.ownerID] == "admin" && hello[.serverPermissions] == "RDNVWZP")
        #expect(hello.isReadOnly == false && hello.fileID?.hasSuffix("!6b33f8dd-0757-44df-a1eb-86073cdf368b") == true)
        #expect(files.contains { $0.itemName.bytes == Array("e\u{301}-nfd.txt".utf8) }, "as it was sent")
        #expect(files.first { $0.name == "empty.dat" }?.checksums.isEmpty == true)
    }

    @Test func theRootTellsItsSizeAndUnlimitedRoom() async throws {
        let recording = try Recording("propfind-depth0-root")
        let server = try recording.server()
        let provider = try recording.provider(server)
        let root = try await provider.attributesOfItem(path: .root)
        #expect(root.isDirectory && root[.recursiveSize] == 102_958 && root.isReadOnly == false)
        let volume = try #require(try await provider.storageProperties())
        #expect(volume.usedCapacity == 102_958 && volume.availableCapacity == nil && volume.totalCapacity == nil)
    }

    @Test func aServerIsRecognisedByStatusAndCapabilities() throws {
        struct Status: Decodable { let productname: String }
        let status = try JSONDecoder().decode(Status.self, from: try Recording("status").body)
        #expect(CloudDialect(product: status.productname) == .openCloud)
        let data = try Recording("capabilities").body
        let capabilities = try JSONDecoder().decode(OCSReply<CloudCapabilities>.self, from: data).ocs.data
        #expect(capabilities.tusChunkLength == 10_000_000 && !capabilities.takesChunks)
        #expect(
            capabilities.hasTrash && capabilities.hasVersions && capabilities.hasShares && capabilities.supportsEvents)
    }

    @Test func theAccountIsNamed() async throws {
        let recording = try Recording("user")
        let server = try recording.server()
        let account = try await recording.provider(server).account(server.url)
        #expect(account == StorageAccount(id: "admin", displayName: "Admin", emailAddress: "admin@example.org"))
        #expect(server.requests.first?["OCS-APIRequest"] == "true")
    }

    @Test func drivesAreReachedAtTheServerThatWasAsked() async throws {
        let recording = try Recording("drives")
        let server = try recording.server()
        let drives = try await recording.provider(server).drives(server.url)
        #expect(drives.map(\.kind) == ["personal", "virtual"] && drives.map(\.name) == ["Admin", "Shares"])
        let own = try #require(drives.first?.url)
        #expect(own.port == server.port && own.host() == "127.0.0.1")
        #expect(CloudAddress(own)?.home == .space(id: drives[0].id))
    }

    @Test(arguments: ["share-link-created", "share-update", "share-user-created"])
    func aShareIsRead(name: String) throws {
        let data = try Recording(name).body
        let share = try JSONDecoder().decode(OCSReply<OCSShare>.self, from: data).ocs.data.share(of: "x")
        #expect(share.owner == Sharee(kind: .user, id: "admin", displayName: "Admin"))
        if name == "share-user-created" {
            #expect(share.receiver == Sharee(kind: .user, id: "alan", displayName: "Alan Turing"))
            #expect(share.permissions.rawValue == 15 && share.url == nil && share.expiration == nil)
            #expect(!share.hasPassword && share.name == nil)
        } else {
            #expect(share.receiver.kind == .link && share.hasPassword && share.permissions == .read)
            #expect(share.url?.absoluteString == "https://cloud.example/s/AdZvHhBYwLSnCbc" && share.name == "report")
            let end: TimeInterval = name == "share-update" ? 1_832_975_999 : 1_814_399_999
            #expect(share.expiration == Date(timeIntervalSince1970: end))
        }
    }

    @Test func listsOfSharesAndReceiversAreRead() throws {
        for (name, path) in [("shares-list", "/Docs"), ("shares-with-me", "/Shares/Docs")] {
            let shares = try JSONDecoder().decode(OCSReply<[OCSShare]>.self, from: try Recording(name).body).ocs.data
            #expect(shares.map(\.path) == [path])
        }
        let data = try Recording("sharees").body
        let sharees = try JSONDecoder().decode(OCSReply<OCSSharees>.self, from: data).ocs.data.sharees
        #expect(sharees == [Sharee(kind: .user, id: "alan", displayName: "Alan Turing")])
        let gone = try JSONDecoder().decode(OCSReply<OCSNothing>.self, from: try Recording("share-deleted").body)
        #expect(gone.ocs.meta.isSuccess)
    }

    @Test func aSearchIsRead() throws {
        let recording = try Recording("search-report")
        let found = try #require(try Multistatus.decode(recording.body, from: recording.response).first)
        let url = try #require(URL(string: String(decoding: found.href, as: UTF8.self)))
        #expect(CloudAddress(url)?.path == "Docs/moved.txt")
        let file = FileObject(path: "Docs/moved.txt", response: found)
        #expect(file.size == 12 && file.etag == nil && file.fileID?.hasSuffix("aeb-86073cdf368b") == false)
    }

    /// A search covers all spaces of the account; what is in another one is nothing that the provider shows.
    @Test func whatIsFoundInAnotherSpaceIsNotShown() throws {
        let recording = try Recording("search-report")
        let found = try Multistatus.decode(recording.body, from: recording.response)
        let installation = try #require(URL(string: "https://cloud.example/"))
        let own = "da54c998-e09e-4a92-9354-071b5286d289$5dbe30bd-595c-4b43-bcb5-643528969041"
        for (space, paths) in [(own, ["/Docs/moved.txt"]), ("another$space", [])] {
            let home = try #require(URL(string: "https://cloud.example/remote.php/dav/spaces/\(space)/"))
            let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: home), credential: nil)
            let cloud = CloudServer(
                dialect: CloudDialect(product: "OpenCloud"), capabilities: CloudCapabilities(),
                installation: installation, user: "ada", space: space, home: home)
            #expect(provider.items(found, below: .root, cloud).map(\.path.description) == paths)
        }
    }

    @Test func aRangeALockAndAPreviewAreRead() async throws {
        let range = try Recording("get-range")
        let server = try range.server()
        let contents = try await range.provider(server).read(
            path: "Docs/hello.txt", range: .range(2..<6), in: OperationContext())
        #expect(contents.head.totalSize == 12 && contents.head.version.modificationTime?.seconds == 1_795_257_456)
        #expect(try await contents.collect() == Data("llo ".utf8))
        let lock = try responses(try Recording("lock").body, expecting: .prop)
        #expect(lock.first?.properties.locks.first?.token == "urn:uuid:2c66b27a-29ab-42a0-a417-1fced4edfda4")
        #expect(try Recording("preview").response.headers["Content-Type"] == "image/png")
    }

    @Test func anUploadsRepliesAreRead() throws {
        #expect(try Recording("tus-create").response.headers["Location"] == "https://cloud.example/data/<jwt>")
        #expect(try Recording("tus-create-empty").response.headers["Location"] == "")
        #expect(try Recording("tus-patch-1").response.headers["Upload-Offset"] == "5")
        #expect(try Recording("tus-patch-2").response.headers["Upload-Offset"] == "11")
        for name in ["delete", "mkcol-created", "mkcol-nested"] { #expect(try Recording(name).response.isSuccess) }
    }
}
