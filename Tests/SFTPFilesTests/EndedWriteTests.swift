import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Writes of which it is known that they fail before the source has ended.
@Suite struct EndedWriteTests {
    private typealias Server = ScriptedTransport

    @Test("a refusal that comes before the source's end is reported at the end")
    func refused() async throws {
        let provider = provider(answeringWrites: .failure)
        let source = source {
            // Answered behind the refusal, which has arrived then.
            _ = try await provider.attributesOfItem(path: "other")
        }
        await #expect { try await provider.write(path: "file", from: source) } throws: {
            "\($0)".contains("refused here")
        }
    }

    @Test("a task that is cancelled at the source's end leaves")
    func cancelled() async throws {
        let provider = provider(answeringWrites: .ok)
        let source = source { withUnsafeCurrentTask { $0?.cancel() } }
        let task = Task { try await provider.write(path: "file", from: source) }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private func provider(answeringWrites code: SFTPStatus.Code) -> SFTPFileProvider {
        .scripted(
            Server { request in
                switch request.type {
                case .open: .send(Server.handle(request.id))
                case .write: .send(Server.status(request.id, code, "refused here"))
                case .lstat where request.body.contains(UInt8(ascii: "o")):
                    .send(Server.attributes(request.id, size: 5))
                case .lstat, .stat: .send(Server.status(request.id, .noSuchFile))
                case .fstat: .send(Server.attributes(request.id, size: 1 << 16))
                default: .send(Server.status(request.id, .ok))
                }
            })
    }

    /// 64 KiB in one piece, then whatever the end is.
    private func source(end: @escaping @Sendable () async throws -> Void) -> ByteStream {
        ByteStream(length: 1 << 16, isReplayable: false) {
            let isSent = Locked(false)
            return {
                let isFirst = isSent.withLock { sent in
                    defer { sent = true }
                    return !sent
                }
                if isFirst { return Data(count: 1 << 16) }
                try await end()
                return nil
            }
        }
    }
}
