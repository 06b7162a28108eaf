import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// Uploads whose replies get lost or come late, as no honest server does it on demand.
@Suite struct InterruptedUploadTests {
    private static let path: ItemPath = "file.bin"

    /// A cloud that answers detection, and everything else as `script` says; `moves` counts MOVE, `patches` PATCH.
    static func server(
        _ product: String, _ script: @escaping @Sendable (ScriptedRequest, Locked<Int>) -> ScriptedResponder.Script
    ) throws -> ScriptedResponder {
        let state = Locked(0)
        return try ScriptedResponder { request in
            if request.target.hasPrefix("/status.php") {
                return .reply(200, body: #"{"versionstring":"1","productname":"\#(product)"}"#)
            }
            if request.target.hasPrefix("/ocs/v2.php/cloud/capabilities") {
                let tus = product == "OpenCloud" ? #","tus_support":{"max_chunk_size":1000},"versioning":true"# : ""
                return .reply(
                    200,
                    body: #"{"ocs":{"meta":{"statuscode":200},"data":{"capabilities":{"core":{"support-sse":true},"#
                        + #""dav":{"chunking":"1.0"},"files":{"undelete":true\#(tus)}}}}}"#)
            }
            if request.target.hasPrefix("/graph") { return .reply(200, body: #"{"value":[]}"#) }
            return script(request, state)
        }
    }

    /// The number of MOVEs so far, this one included.
    private static func moves(_ request: ScriptedRequest, _ moves: Locked<Int>) -> Int {
        moves.withLock { count in
            if request.method == "MOVE" { count += 1 }
            return count
        }
    }

    static func provider(_ server: ScriptedResponder) throws -> WebDAVFileProvider {
        let url = server.url.appending(path: "remote.php/dav/files/anna/")
        var configuration = WebDAVConfiguration(url: url)
        configuration.http.retry = RetryPolicy(maximumRetries: 2, firstPause: 0.01, longestPause: 0.01)
        return try WebDAVFileProvider(configuration: configuration, credential: .password(user: "anna", password: "p"))
    }

    private static func found(_ size: Int, etag: String) -> ScriptedResponder.Script {
        .reply(
            207,
            body: #"<d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/files/anna/file.bin</d:href>"#
                + #"<d:propstat><d:prop><d:resourcetype/><d:getcontentlength>\#(size)</d:getcontentlength>"#
                + #"<d:getetag>"\#(etag)"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"#
                + "</d:response></d:multistatus>")
    }

    /// The server is at it, also where the connection or a gateway did not wait for it; and done, so that there is
    /// nothing to move any more.
    @Test(arguments: [423, 504, nil])
    func aFileThatIsStillBeingPutTogetherIsWaitedFor(first: Int?) async throws {
        let server = try Self.server("Nextcloud") { request, moves in
            let count = Self.moves(request, moves)
            switch request.method {
            case "MKCOL", "PUT": return .reply(201)
            case "MOVE" where count == 1:
                return first.map { ScriptedResponder.Script.reply($0) } ?? .raw("").then(.close)
            case "MOVE": return .reply(count < 3 ? 423 : 404)
            case "PROPFIND" where request.target.contains("/uploads/"): return .reply(count < 3 ? 207 : 404)
            case "PROPFIND": return count < 3 ? .reply(404) : Self.found(5, etag: "new")
            default: return .reply(500)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 5, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("12345".utf8)), in: context)
        let file = try await upload.commit(in: context)
        #expect(file.size == 5 && file.etag?.rawValue == #""new""#)
        let moves = server.requests.filter { $0.method == "MOVE" }
        #expect(moves.count == 3 && moves[0]["OC-Total-Length"] == "5" && moves[0]["Overwrite"] == "F")
        #expect(moves[0]["OC-Checksum"] == "SHA1:8cb2237d0679ca88db6464eac60da96345513964")
        #expect(!server.requests.contains { $0.method == "DELETE" })
        #expect(server.requests.filter { $0.method == "PUT" }.allSatisfy { $0["Destination"] != nil })
    }

    /// A gateway gives up after a minute; then the file is in place while its parts still exist.
    @Test func aFileThatIsInPlaceBeforeItsPartsAreGoneIsOurs() async throws {
        let time = SteppedTime()
        let server = try Self.server("Nextcloud") { request, moves in
            let count = Self.moves(request, moves)
            switch request.method {
            case "MKCOL", "PUT": return .reply(201)
            case "MOVE":
                if count == 1 { time.pass(.seconds(60)) }
                return .reply(count == 1 ? 504 : count < 6 ? 412 : 404)
            case "PROPFIND" where request.target.contains("/uploads/"): return .reply(count < 6 ? 207 : 404)
            case "PROPFIND": return count < 2 ? .reply(404) : Self.found(5, etag: "new")
            default: return .reply(500)
            }
        }
        defer { server.stop() }
        let provider = try Self.provider(server)
        let session = HTTPSession(
            origin: server.url, configuration: provider.configuration.http,
            credential: .password(user: "anna", password: "p"), pacer: Pacer(clock: time))
        let context = OperationContext()
        let upload = try await WebDAVFileProvider(configuration: provider.configuration, session: session)
            .beginPartialWrite(path: Self.path, length: 5, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("12345".utf8)), in: context)
        #expect(try await upload.commit(in: context).etag?.rawValue == #""new""#)
    }

    /// A clock that advances only when told to, or while a task sleeps.
    private final class SteppedTime: Clock {
        private let time = Locked(ContinuousClock.now)
        let minimumResolution = Duration.zero

        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            time.withLock { $0 = max($0, deadline) }
        }
    }

    /// A server may take less than it was sent, and says so.
    @Test func aPartThatWasTakenInPartIsNotCountedWhole() async throws {
        let server = try Self.server("OpenCloud") { request, patches in
            switch request.method {
            case "POST": return .reply(201, headers: [("Location", "/data/upload")])
            case "PATCH": return .reply(204, headers: [("Upload-Offset", "300")])
            case "HEAD": return .head(200, headers: [("Upload-Offset", "300")])
            case "PROPFIND" where request.target.contains("file.bin"): return .reply(404)
            default: return .reply(207, body: #"<d:multistatus xmlns:d="DAV:"/>"#)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 2_000, resuming: nil, in: context)
        await #expect(throws: URLError.self) { try await upload.append(ByteStream(Data(count: 2_000)), in: context) }
        #expect(upload.acknowledged == 300)
    }

    @Test(arguments: [Int64.min, -1, .max])
    func anOffsetThatNoUploadCanHaveIsAnError(told: Int64) async throws {
        let server = try Self.server("OpenCloud") { request, patches in
            let count = patches.withLock { count in
                if request.method == "PATCH" { count += 1 }
                return count
            }
            switch request.method {
            case "POST": return .reply(201, headers: [("Location", "/data/upload")])
            case "PATCH": return .reply(204, headers: [("Upload-Offset", count == 1 ? "1000" : "\(told)")])
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 3_000, resuming: nil, in: context)
        await #expect(throws: URLError.self) { try await upload.append(ByteStream(Data(count: 3_000)), in: context) }
        #expect(upload.acknowledged == 1_000)
    }

    /// As Nextcloud does when its cache no longer knows where the parts are to go.
    @Test func aPartOfAForgottenUploadIsNotSaidToExist() async throws {
        let server = try Self.server("Nextcloud") { request, _ in
            request.method == "PUT" ? .reply(412, body: "Missing metadata for chunked upload") : .reply(201)
        }
        defer { server.stop() }
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 3, resuming: nil, in: OperationContext())
        let error = await #expect(throws: CocoaError.self) {
            try await upload.append(ByteStream(Data("abc".utf8)), in: OperationContext())
        }
        #expect(error?.isNoSuchFile == true, "\(String(describing: error))")
    }

    @Test func anUploadThatTheServerForgotFailsAndIsNotTakenForDone() async throws {
        let server = try Self.server("Nextcloud") { request, _ in
            switch request.method {
            case "MKCOL", "PUT": return .reply(201)
            case "PROPFIND" where request.target.contains("/uploads/"): return .reply(404)
            // An old file of the same size.
            case "PROPFIND": return Self.found(5, etag: "old")
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let context = OperationContext(options: OperationOptions(overwrite: true))
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 5, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("12345".utf8)), in: context)
        await #expect(throws: (any Error).self) { try await upload.commit(in: context) }
    }

    @Test func partsThatCouldNotBeMovedAreNoFile() async throws {
        let server = try Self.server("Nextcloud") { request, _ in
            switch request.method {
            case "MKCOL", "PUT": return .reply(201)
            case "MOVE":
                return .reply(
                    207,
                    body: #"<d:multistatus xmlns:d="DAV:"><d:response><d:href>/x</d:href>"#
                        + "<d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response></d:multistatus>")
            case "PROPFIND" where request.target.contains("/uploads/"): return .reply(207)
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 5, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("12345".utf8)), in: context)
        await #expect {
            _ = try await upload.commit(in: context)
        } throws: {
            $0.localizedDescription.contains("507")
        }
    }

    @Test func aCutTUSRequestCountsWhatTheServerHolds() async throws {
        let server = try Self.server("OpenCloud") { request, patches in
            switch request.method {
            case "POST": return .reply(201, headers: [("Location", "/data/s3cret")])
            case "HEAD": return .reply(200, headers: [("Upload-Offset", "700"), ("Upload-Length", "2500")])
            case "PATCH"
            where patches.withLock({ count in
                count += 1; return count
            }) == 1:
                return ScriptedResponder.Script([.reset])
            case "PATCH": return .reply(204)
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 2_500, resuming: nil, in: context)
        let error = await #expect(throws: URLError.self) {
            try await upload.append(ByteStream(Data(count: 2_500)), in: context)
        }
        #expect(!"\(String(describing: error))".contains("s3cret"))
        #expect(upload.acknowledged == 700, "asked after the failure")
        try await upload.append(ByteStream(Data(count: 1_800)), in: context)
        #expect(upload.acknowledged == 2_500)
        let patches = server.requests.filter { $0.method == "PATCH" }
        #expect(patches.dropFirst().map { $0["Upload-Offset"] } == ["700", "1700"])
        #expect(patches.dropFirst().map(\.body.count) == [1_000, 799], "the last byte waits for the commit")
        for request in server.requests where request.target.hasPrefix("/data/") {
            #expect(request["Authorization"] == nil)
        }
    }

    @Test func aLostReplyToTheLastByteIsNoFailure() async throws {
        let server = try Self.server("OpenCloud") { request, patches in
            switch request.method {
            case "POST": return .reply(201, headers: [("Location", "/data/s3cret")])
            case "HEAD": return .reply(404)
            case "PATCH":
                patches.withLock { $0 += 1 }
                return ScriptedResponder.Script([.reset])
            case "PROPFIND": return patches.withLock { $0 } == 0 ? .reply(404) : Self.found(1, etag: "new")
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 1, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("x".utf8)), in: context)
        #expect(try await upload.commit(in: context).size == 1)
    }

    @Test func otherBytesThanWereSentAreNoticed() async throws {
        let server = try Self.server("OpenCloud") { request, patches in
            switch request.method {
            case "POST": return .reply(201, headers: [("Location", "/data/s3cret")])
            case "PATCH":
                patches.withLock { $0 += 1 }
                return .reply(204)
            case "PROPFIND": return patches.withLock { $0 } == 0 ? .reply(404) : Self.found(2, etag: "new")
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let context = OperationContext()
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 1, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("x".utf8)), in: context)
        let error = await #expect(throws: CocoaError.self) { try await upload.commit(in: context) }
        #expect(error?.code == .fileWriteUnknown)
    }

    /// S3 behind a Nextcloud takes less than 5 MiB as the last part only.
    @Test(arguments: [[13 << 20, 13 << 20, 1 << 20], [25 << 20, 8 << 20, 1], [61 << 20]])
    func noPartIsShortButTheLast(slices: [Int]) async throws {
        let server = try Self.server("Nextcloud") { request, _ in .reply(request.method == "PROPFIND" ? 404 : 201) }
        defer { server.stop() }
        let (provider, context) = (try Self.provider(server), OperationContext())
        let upload = try await provider.beginPartialWrite(
            path: Self.path, length: Int64(slices.reduce(0, +)), resuming: nil, in: context)
        for slice in slices { try await upload.append(ByteStream(Data(count: slice)), in: context) }
        let parts = server.requests.filter { $0.method == "PUT" }.map(\.body.count)
        #expect(parts.reduce(0, +) == slices.reduce(0, +))
        #expect(parts.dropLast().allSatisfy { $0 >= 5 << 20 } && parts.allSatisfy { $0 <= 20 << 20 }, "\(parts)")
    }

    /// The folder for the parts was made, and nobody heard of it.
    @Test func aFolderForPartsThatExistsIsOurs() async throws {
        let server = try Self.server("Nextcloud") { request, _ in .reply(request.method == "MKCOL" ? 405 : 201) }
        defer { server.stop() }
        let upload = try await Self.provider(server).beginPartialWrite(
            path: Self.path, length: 10, resuming: nil, in: OperationContext())
        try await upload.append(ByteStream(Data(count: 10)), in: OperationContext())
        #expect(upload.acknowledged == 10)
    }

    /// What was restored or removed from the trash is not asked for again: then it would not be there.
    @Test(arguments: [true, false], [true, false])
    func aLostReplyAboutTheTrashIsNoFailure(restores: Bool, isDone: Bool) async throws {
        let server = try Self.server("ownCloud") { request, changes in
            let count = changes.withLock { count in
                if ["MOVE", "DELETE"].contains(request.method) { count += 1 }
                return count
            }
            switch request.method {
            case "MOVE", "DELETE": return count == 1 ? ScriptedResponder.Script([.reset]) : .reply(404)
            case "PROPFIND" where request.target.contains("trash"):
                let isThere = count == 0 || !isDone
                let location = "<o:trashbin-original-location>a</o:trashbin-original-location>"
                let item = "<D:href>\(request.target)7</D:href>" + propstat(location)
                return .reply(207, body: multistatus(isThere ? item : "<D:href>\(request.target)</D:href>"))
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        let provider = try Self.provider(server)
        let item = try #require(try await provider.trashedItems().first)
        var failure: (any Error)?
        do {
            if restores { try await provider.restore(item, to: nil) } else { try await provider.emptyTrash(nil) }
        } catch { failure = error }
        #expect((failure == nil) == isDone, "\(failure as Any)")
        #expect(server.requests.count { ["MOVE", "DELETE"].contains($0.method) } == 1)
    }
}
