import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Servers that set no attributes, and that list names without them.
@Suite struct UnsaidAttributesTests {
    @Test func timesThatCannotBeSetAreNotPromisedAgain() async throws {
        let provider = SFTPFileProvider.scripted(
            ScriptedTransport { request in
                switch request.type {
                case .open: .send(ScriptedTransport.handle(request.id))
                case .fstat: .send(ScriptedTransport.attributes(request.id, size: 5))
                case .lstat where String(decoding: request.body, as: UTF8.self).contains(".fp-"):
                    .send(ScriptedTransport.attributes(request.id, size: 5))
                case .lstat, .stat: .send(ScriptedTransport.status(request.id, .noSuchFile))
                case .fsetstat: .send(ScriptedTransport.status(request.id, .unsupported))
                case .setstat: .send(ScriptedTransport.status(request.id, .permissionDenied))
                default: .send(ScriptedTransport.status(request.id, .ok))
                }
            })
        let attributes = ItemAttributes(modificationTime: FileTime(seconds: 1_000_000_000))
        #expect(try await provider.characteristics(path: .root).settableTimePrecision == 1_000_000_000)
        try await provider.write(
            path: "file", from: ByteStream(Data("bytes".utf8)), options: OperationOptions(attributes: attributes))
        #expect(try await provider.characteristics(path: .root).settableTimePrecision == nil)
    }

    /// Attributes are optional in a list of names.
    @Test func whatIsListedWithoutATypeIsLookedAt() async throws {
        let isListed = Locked(false)
        let provider = SFTPFileProvider.scripted(
            ScriptedTransport { request in
                switch request.type {
                case .opendir: return .send(ScriptedTransport.handle(request.id))
                case .readdir:
                    let isFirst = isListed.withLock { isListed in
                        defer { isListed = true }
                        return !isListed
                    }
                    return .send(
                        isFirst
                            ? ScriptedTransport.name(request.id, ["file", "folder"])
                            : ScriptedTransport.status(request.id, .endOfFile))
                case .lstat where String(decoding: request.body, as: UTF8.self).contains("folder"):
                    return .send(ScriptedTransport.attributes(request.id, size: 0, mode: 0o40755))
                case .lstat: return .send(ScriptedTransport.attributes(request.id, size: 7))
                default: return .send(ScriptedTransport.status(request.id, .unsupported))
                }
            })
        let items = try await provider.contentsOfDirectory(path: .root)
        #expect(items.map(\.name) == ["file", "folder"])
        #expect(items.map(\.type) == [.regular, .directory])
        #expect(items.first?.size == 7)
    }
}
