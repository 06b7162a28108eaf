import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Servers that set attributes in one of two ways, or in none, and that list names without attributes.
@Suite struct UnsaidAttributesTests {
    /// Twisted Conch knows SETSTAT and no FSETSTAT.
    @Test(arguments: [true, false])
    func whatIsNotSetByTheHandleIsSetByTheName(isSetByName: Bool) async throws {
        let asked = Locked<[PacketType]>([])
        let provider = SFTPFileProvider.scripted(
            ScriptedTransport { request in
                asked.withLock { $0.append(request.type) }
                return switch request.type {
                case .open: .send(ScriptedTransport.handle(request.id))
                case .fstat: .send(ScriptedTransport.attributes(request.id, size: 5))
                case .lstat where String(decoding: request.body, as: UTF8.self).contains(".fp-"):
                    .send(ScriptedTransport.attributes(request.id, size: 5))
                case .lstat, .stat: .send(ScriptedTransport.status(request.id, .noSuchFile))
                case .fsetstat: .send(ScriptedTransport.status(request.id, .unsupported))
                case .setstat: .send(ScriptedTransport.status(request.id, isSetByName ? .ok : .permissionDenied))
                default: .send(ScriptedTransport.status(request.id, .ok))
                }
            })
        let attributes = ItemAttributes(modificationTime: FileTime(seconds: 1_000_000_000))
        #expect(try await provider.characteristics(path: .root).settableTimePrecision == 1_000_000_000)
        try await provider.write(
            path: "file", from: ByteStream(Data("bytes".utf8)), options: OperationOptions(attributes: attributes))
        let types = asked.withLock { $0 }
        let named = try #require(types.firstIndex(of: .setstat))
        // Under the name that nobody sees yet.
        #expect(named < types.lastIndex { $0 == .rename || $0 == .extended } ?? 0)
        let precision = try await provider.characteristics(path: .root).settableTimePrecision
        #expect(precision == (isSetByName ? 1_000_000_000 : nil))
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
