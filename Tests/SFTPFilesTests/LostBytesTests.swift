import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Files written in parts to a server that acknowledges bytes but loses them.
@Suite struct LostBytesTests {
    private typealias Server = ScriptedTransport
    private let size: Locked<Int>
    private let published = Locked(false)
    private let empties = Locked(false)
    private let provider = Locked<SFTPFileProvider?>(nil)

    init() { size = Locked(0) }

    @Test("a file of which the server has lost confirmed bytes is neither lengthened nor published")
    func lost() async throws {
        size.withLock { $0 = 60 }
        let upload = try await begun(writing: 100)
        await #expect { _ = try await upload.commit(in: OperationContext()) } throws: {
            $0.localizedDescription.contains("kept only 60")
        }
        #expect(size.withLock { $0 } == 60)
        #expect(!published.withLock { $0 })
    }

    @Test("bytes after the acknowledged ones, from an interrupted attempt, are cut off")
    func longer() async throws {
        size.withLock { $0 = 140 }
        let written = try await begun(writing: 100).commit(in: OperationContext())
        #expect(written.size == 100)
        #expect(size.withLock { $0 } == 100)
        #expect(published.withLock { $0 })
    }

    @Test("a file that the server empties when it is opened again is begun anew")
    func emptied() async throws {
        size.withLock { $0 = 100 }
        let upload = try await begun(writing: 100)
        let state = try upload.saveState()
        let provider = try #require(provider.withLock { $0 })
        size.withLock { $0 = 100 }
        empties.withLock { $0 = true }
        let again = try await provider.beginPartialWrite(
            path: "file", length: 100, resuming: state, in: OperationContext())
        #expect(again.acknowledged == 0)
    }

    /// Begins a file and writes bytes, all of which the server acknowledges.
    private func begun(writing count: Int) async throws -> any ResumableUpload {
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.version(offering: [.fsync])) { [size, published, empties] request in
                switch request.type {
                case .open where empties.withLock { $0 }:
                    size.withLock { $0 = 0 }
                    return .send(Server.handle(request.id))
                case .lstat
                where empties.withLock { $0 } && String(decoding: request.body, as: UTF8.self).contains(".fp-"):
                    return .send(Server.attributes(request.id, size: size.withLock { $0 }))
                case .open: return .send(Server.handle(request.id))
                case .lstat where !published.withLock { $0 }: return .send(Server.status(request.id, .noSuchFile))
                case .fstat, .lstat: return .send(Server.attributes(request.id, size: size.withLock { $0 }))
                case .fsetstat:
                    // The body holds the handle, the flags and, if set, the size.
                    if request.body[8] & 1 != 0 { size.withLock { $0 = Int(request.body[16]) } }
                    return .send(Server.status(request.id, .ok))
                case .rename:
                    published.withLock { $0 = true }
                    return .send(Server.status(request.id, .ok))
                default: return .send(Server.status(request.id, .ok))
                }
            })
        self.provider.withLock { $0 = provider }
        let upload = try await provider.beginPartialWrite(
            path: "file", length: Int64(count), resuming: nil, in: OperationContext())
        try await upload.append(ByteStream(Data(count: count)), in: OperationContext())
        return upload
    }
}
