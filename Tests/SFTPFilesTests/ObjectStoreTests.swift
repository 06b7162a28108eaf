import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Servers before an object store (pkg/sftp, SFTPGo): a file is there once it is closed, and renaming copies it.
@Suite struct ObjectStoreTests {
    private typealias Server = ScriptedTransport

    private let asked = Locked<Set<PacketType>>([])

    @Test("a file is kept of which the server tells nothing before it is closed", arguments: [4, nil] as [Int?])
    func written(size: Int?) async throws {
        let written = try await provider(storing: size).write(path: "file", from: ByteStream(Data("text".utf8)))
        #expect(written.size == size.map { Int64($0) })
        #expect(asked.withLock { $0.contains(.rename) && !$0.contains(.remove) })
    }

    @Test("a file that is shorter than what was sent replaces nothing")
    func short() async throws {
        await #expect {
            try await provider(storing: 3).writeContents(path: "file", contents: Data("text".utf8), overwrite: true)
        } throws: {
            $0.localizedDescription.contains("3 bytes instead of 4")
        }
        #expect(asked.withLock { !$0.contains(.rename) && $0.contains(.remove) })
    }

    @Test("a file is kept of which the server tells another size before it is closed")
    func late() async throws {
        let asked = asked
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.version()) { request in
                asked.withLock { _ = $0.insert(request.type) }
                let isOurs = String(decoding: request.body, as: UTF8.self).contains(".fp-")
                switch request.type {
                case .open: return .send(Server.handle(request.id))
                case .fstat: return .send(Server.attributes(request.id, size: 0))
                case .lstat where isOurs: return .send(Server.attributes(request.id, size: 4))
                case .lstat: return .send(Server.status(request.id, .noSuchFile))
                default: return .send(Server.status(request.id, .ok))
                }
            })
        #expect(try await provider.writeContents(path: "file", contents: Data("text".utf8))?.size == 4)
        #expect(asked.withLock { $0.contains(.rename) })
    }

    @Test("a server that refuses links where it takes files makes none", arguments: [true, false])
    func linkless(takesFiles: Bool) async throws {
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.version()) { request in
                switch request.type {
                case .symlink: return .send(Server.status(request.id, .failure))
                case .open where takesFiles: return .send(Server.handle(request.id))
                case .open: return .send(Server.status(request.id, .permissionDenied))
                case .lstat, .stat, .readlink: return .send(Server.status(request.id, .noSuchFile))
                default: return .send(Server.status(request.id, .ok))
                }
            })
        await #expect {
            try await provider.create(symbolicLink: "link", withDestinationPath: LinkTarget("target"))
        } throws: {
            $0.isUnsupported == takesFiles
        }
    }

    @Test("a copy that the server makes by itself is kept where its length is seen", arguments: [4, 3, nil] as [Int?])
    func copied(size: Int?) async throws {
        let provider = provider(storing: size)
        if size == 4 {
            #expect(try await provider.copyItem(path: "source", to: "file")?.size == 4)
        } else {
            await #expect(throws: CocoaError.self) { try await provider.copyItem(path: "source", to: "file") }
        }
        #expect(asked.withLock { $0.contains(.rename) != $0.contains(.remove) })
    }

    @Test("a server that has a file to copy may be silent for longer", arguments: [PacketType.rename, .remove])
    func slow(type: PacketType) async throws {
        let provider = provider(storing: 4, slowly: type)
        try await provider.writeContents(path: "file", contents: Data("text".utf8))
        try await provider.removeItem(path: "file")
    }

    /// - Parameters:
    ///   - size: what is told of a file that was written and has its hidden name still; `nil` for nothing.
    ///   - slow: what takes longer than a server may be silent.
    private func provider(storing size: Int?, slowly slow: PacketType? = nil) -> SFTPFileProvider {
        let (asked, source, target) = (asked, [1] as [UInt8], [2] as [UInt8])
        return .scripted(
            Server(greeting: Server.version(offering: [.copyData])) { request in
                let isClosed = asked.withLock { asked in
                    asked.insert(request.type)
                    return asked.contains(.close)
                }
                if request.type == slow { Thread.sleep(forTimeInterval: 4) }
                let text = String(decoding: request.body, as: UTF8.self)
                switch request.type {
                case .open: return .send(Server.handle(request.id, text.contains("source") ? source : target))
                case .lstat where text.contains("source"), .fstat where request.body.last == source.last:
                    return .send(Server.attributes(request.id, size: 4))
                case .lstat where isClosed && text.contains(".fp-"):
                    guard let size else { return .send(Server.status(request.id, .permissionDenied)) }
                    return .send(Server.attributes(request.id, size: size))
                case .lstat, .stat, .fstat: return .send(Server.status(request.id, .noSuchFile))
                case .fsetstat: return .send(Server.status(request.id, .unsupported))
                default: return .send(Server.status(request.id, .ok))
                }
            }, answerTimeout: 3)
    }
}
