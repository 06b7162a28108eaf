import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

/// What the base does to change something on a server: once, for the version that was meant, where there is room for
/// it.
@Suite struct ProviderWritingTests {
    private static let strong = FileVersion(etag: ETag(rawValue: "\"1\""))

    @Test(arguments: [
        FileOperationType.create("d"), .remove("f"), .copy(source: "f", destination: "g"),
        .move(source: "f", destination: "g"),
    ])
    func whatMayHaveBeenDoneIsNotDoneAgain(operation: FileOperationType) async throws {
        let server = try ScriptedResponder { _ in ScriptedResponder.Script([.reset]) }
        defer { server.stop() }
        let provider = PlainProvider(server, retry: RetryPolicy())
        let code = try await urlErrorCode { _ = try await provider.perform(operation, in: OperationContext()) }
        #expect(code == .networkConnectionLost)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        (OperationOptions(), 1), (OperationOptions(overwrite: true, expecting: strong), 1),
        (OperationOptions(overwrite: true), 4),
    ])
    func aConditionalWriteIsNotDoneAgain(options: OperationOptions, count: Int) async throws {
        let server = try ScriptedResponder { _ in ScriptedResponder.Script([.reset]) }
        defer { server.stop() }
        let provider = PlainProvider(server, retry: RetryPolicy())
        let code = try await urlErrorCode {
            _ = try await provider.write(path: "f", from: ByteStream(Data("new".utf8)), options: options)
        }
        #expect(code == .networkConnectionLost)
        #expect(server.requests.count == count)
    }

    @Test(arguments: [FileOperationType.remove("f"), .copy(source: "f", destination: "g"), .modify("f")])
    func aFailureInTheBodyOfASuccessIsOne(operation: FileOperationType) async throws {
        let server = try ScriptedResponder { _ in .reply(200, body: "failed after all") }
        defer { server.stop() }
        let provider = PlainProvider(server)
        await #expect(throws: PlainError.self) {
            if case .modify(let path) = operation {
                try await provider.write(path: path, from: ByteStream(Data("new".utf8)), options: OperationOptions())
            } else {
                _ = try await provider.perform(operation, in: OperationContext())
            }
        }
    }

    @Test(arguments: [
        FileOperationType.copy(source: "f", destination: "g"), .move(source: "f", destination: "g"),
    ])
    func aCopyReplacesOnlyTheExpectedVersion(operation: FileOperationType) async throws {
        let server = try ScriptedResponder { _ in .reply(200, headers: [("ETag", "\"2\"")]) }
        defer { server.stop() }
        let options = OperationOptions(overwrite: true, expecting: Self.strong)
        await #expect { try await PlainProvider(server).run(operation, options: options) } throws: { $0.isItemChanged }
        #expect(server.requests.map(\.method) == ["HEAD"])
    }

    /// What decides about somebody else's file comes from the server, whatever the cache's rules are.
    @Test func aKeptReplyDoesNotConfirmAVersion() async throws {
        let server = try ScriptedResponder { request in
            .reply(200, headers: [("ETag", "W/\"\(request.index)\"")], body: "number \(request.index)")
        }
        defer { server.stop() }
        var provider = PlainProvider(server, cache: .unvalidated)
        provider.looksUpByGet = true
        let known = try await provider.attributesOfItem(path: "f").version
        #expect(try await provider.attributesOfItem(path: "f").version == known)
        await #expect {
            let options = OperationOptions(overwrite: true, expecting: known)
            try await provider.write(path: "f", from: ByteStream(Data("new".utf8)), options: options)
        } throws: { $0.isItemChanged }
        #expect(server.requests.map(\.method) == ["GET", "GET"])
    }

    /// As a part of a URL, it would be a file of that name.
    @Test func anIdentifierIsNoFile() async throws {
        let server = try ScriptedResponder { _ in .reply(204) }
        defer { server.stop() }
        let (provider, id) = (PlainProvider(server), try ItemPath(validating: "id:7"))
        let operations: [FileOperationType] = [
            .create(id), .remove(id), .copy(source: id, destination: "g"), .move(source: id, destination: "g"),
            .copy(source: "f", destination: id), .move(source: "f", destination: id),
        ]
        for operation in operations {
            await #expect(throws: CocoaError.self) { try await provider.perform(operation, in: OperationContext()) }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.write(path: id, from: ByteStream(Data()), options: OperationOptions())
        }
        await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: id) }
        await #expect(throws: CocoaError.self) { try await provider.contents(path: id) }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        FileOperationType.remove("f/"), .copy(source: "f/", destination: "g"), .move(source: "f/", destination: "g"),
    ])
    func aFileIsNotFoundWithASlash(operation: FileOperationType) async throws {
        let server = try ScriptedResponder { _ in .head(200, headers: [("Content-Length", "5")]) }
        defer { server.stop() }
        let provider = PlainProvider(server)
        await #expect {
            try await provider.perform(operation, in: OperationContext())
        } throws: {
            $0.isNoSuchFile
        }
        #expect(server.requests.map(\.method) == ["HEAD"])
    }

    /// `If-Match` compares tags that promise equal bytes, and no others.
    @Test(arguments: [
        (FileVersion(etag: ETag(rawValue: "W/\"1\"")), true), (FileVersion(size: 4), true),
        (FileVersion(etag: ETag(rawValue: "W/\"2\"")), false), (FileVersion(size: 5), false),
    ])
    func aVersionWithoutAStrongTagIsLookedAtBefore(version: FileVersion, isAnother: Bool) async throws {
        let server = try ScriptedResponder { request in
            request.method == "HEAD"
                ? .head(200, headers: [("ETag", "W/\"2\""), ("Content-Length", "5")]) : .reply(204)
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let options = OperationOptions(overwrite: true, expecting: version)
        let changes: [@Sendable () async throws -> Void] = [
            { _ = try await provider.write(path: "f", from: ByteStream(Data("new".utf8)), options: options) },
            { _ = try await provider.perform(.remove("f"), in: OperationContext(options: options)) },
        ]
        for change in changes {
            do {
                try await change()
                #expect(!isAnother)
            } catch {
                #expect(isAnother && error.isItemChanged)
            }
        }
        #expect(server.requests.map(\.method) == (isAnother ? ["HEAD", "HEAD"] : ["HEAD", "PUT", "HEAD", "DELETE"]))
    }

    /// Many an API has conditions for some of its methods only.
    @Test func aServerThatMayIgnoreConditionsIsAskedBefore() async throws {
        let server = try ScriptedResponder { request in
            request.method == "HEAD" ? .head(200, headers: [("ETag", "\"2\""), ("Content-Length", "5")]) : .reply(204)
        }
        defer { server.stop() }
        var provider = PlainProvider(server)
        provider.heedsIfMatch = false
        let options = OperationOptions(overwrite: true, expecting: Self.strong)
        await #expect {
            try await provider.write(path: "f", from: ByteStream(Data("new".utf8)), options: options)
        } throws: { $0.isItemChanged }
        await #expect { try await provider.run(.remove("f"), options: options) } throws: { $0.isItemChanged }
        #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
    }

    @Test(arguments: [409, 412])
    func aDirectoryThatExistsIsFine(status: Int) async throws {
        let server = try ScriptedResponder { request in
            guard request.method == "HEAD" else { return .reply(status) }
            return .head(200, headers: request.target.hasSuffix("/d") ? [("X-Directory", "1")] : [])
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        _ = try await provider.perform(.create("d"), in: OperationContext())
        await #expect(throws: (any Error).self) { try await provider.perform(.create("f"), in: OperationContext()) }
        #expect(server.requests.map(\.method) == ["MKCOL", "HEAD", "MKCOL", "HEAD"])
    }

    @Test func whatAReplyTellsInItsBodyIsKept() async throws {
        let server = try ScriptedResponder { _ in .reply(201, body: "\"tag\"") }
        defer { server.stop() }
        let file = try await PlainProvider(server).write(path: "f", from: ByteStream(Data("new".utf8)))
        #expect(file.etag == ETag(rawValue: "\"tag\""))
    }

    @Test(arguments: [true, false])
    func aLengthIsFoundOutForAServerThatNeedsIt(isNeeded: Bool) async throws {
        let server = try ScriptedResponder { _ in .reply(201) }
        defer { server.stop() }
        var provider = PlainProvider(server)
        provider.needsLength = isNeeded
        let chunks = AsyncStream<Data> { chunks in
            for size in [30_000, 40_000] { chunks.yield(Data(count: size)) }
            chunks.finish()
        }
        try await provider.write(path: "f", from: ByteStream(chunks))
        let request = try #require(server.requests.first)
        #expect(request["Content-Length"] == (isNeeded ? "70000" : nil))
        #expect(request.body.count == 70_000)
    }

    @Test func anotherVersionIsNotRemoved() async throws {
        let server = try ScriptedResponder { _ in .reply(412) }
        defer { server.stop() }
        let context = OperationContext(options: OperationOptions(expecting: Self.strong))
        await #expect {
            try await PlainProvider(server).perform(.remove("f"), in: context)
        } throws: {
            $0.isItemChanged
        }
        #expect(server.requests.map { $0["If-Match"] } == ["\"1\""])
    }

    @Test(arguments: [412, 507])
    func aPlaceThatIsTakenOrFullIsTheDestination(status: Int) async throws {
        let server = try ScriptedResponder { _ in .reply(status) }
        defer { server.stop() }
        for operation in [
            FileOperationType.copy(source: "f", destination: "g"), .move(source: "f", destination: "g"),
        ] {
            let error = await #expect(throws: CocoaError.self) {
                try await PlainProvider(server).perform(operation, in: OperationContext())
            }
            #expect(error?.localizedDescription.hasPrefix("/g: ") == true)
        }
    }

    /// A server with a file `/f`, which makes what it is told to make in directories that are there.
    private func server() throws -> ScriptedResponder {
        let directories = Locked<Set<String>>([""])
        return try ScriptedResponder { request in
            if request.method == "HEAD" { return .head(request.target == "/f" ? 200 : 404) }
            let names = (request["Destination"] ?? request.target).split(separator: "/")
            let isMade = directories.withLock { directories in
                guard directories.contains(names.dropLast().joined(separator: "/")) else { return false }
                if request.method == "MKCOL" { directories.insert(names.joined(separator: "/")) }
                return true
            }
            return .reply(isMade ? 201 : 404)
        }
    }

    @Test(arguments: ["COPY", "MOVE", "PUT"])
    func missingParentsAreMadeAndCarryNothing(method: String) async throws {
        let server = try server()
        defer { server.stop() }
        let provider = PlainProvider(server)
        let attributes = ItemAttributes(modificationTime: FileTime(seconds: 7))
        let context = OperationContext(options: OperationOptions(attributes: attributes, createsParents: true))
        switch method {
        case "COPY": try await provider.perform(.copy(source: "f", destination: "a/b/c"), in: context)
        case "MOVE": try await provider.perform(.move(source: "f", destination: "a/b/c"), in: context)
        default: _ = try await provider.write(path: "a/b/c", from: ByteStream(Data("new".utf8)), in: context)
        }
        let made = server.requests.filter { $0.method == "MKCOL" }
        #expect(made.map(\.target) == ["/a/b/", "/a/", "/a/b/"])
        #expect(made.allSatisfy { $0["X-Time"] == nil })
        #expect(server.requests.last?.method == method)
    }

    @Test func forASourceThatIsNotThereNothingIsMade() async throws {
        let server = try server()
        defer { server.stop() }
        let context = OperationContext(options: OperationOptions(createsParents: true))
        await #expect {
            try await PlainProvider(server).perform(.copy(source: "none", destination: "a/b"), in: context)
        } throws: {
            $0.isNoSuchFile
        }
        #expect(server.requests.map(\.method) == ["COPY", "HEAD"])
    }
}
