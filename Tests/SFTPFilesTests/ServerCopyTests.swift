import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Copies within a server that has no copy operation.
@Suite struct ServerCopyTests {
    private typealias Server = ScriptedTransport

    @Test("a file that ends before its size is not copied, and the error says how much came")
    func short() async throws {
        let provider = provider { Server.attributes($0, size: 100_000) }
        await #expect { try await provider.copyItem(path: "file", to: "copy") } throws: {
            ($0 as? CocoaError)?.code == .fileWriteUnknown && $0.localizedDescription.contains("100000 bytes")
        }
    }

    @Test("a file whose size the server does not tell is not taken for an empty one")
    func untold() async throws {
        let huge = [UInt8](repeating: 0x80, count: 8)
        let provider = provider {
            Server.packet(.attributes, Server.number(Int($0)) + Server.number(5) + huge + Server.number(0o100644))
        }
        await #expect { try await provider.copyItem(path: "file", to: "copy") } throws: {
            $0.localizedDescription.contains("does not tell its size")
        }
        #expect(try await provider.attributesOfItem(path: "file").size == nil)
    }

    /// Returns a provider of a server with one file, which has these attributes but no bytes.
    private func provider(_ attributes: @escaping @Sendable (UInt32) -> [UInt8]) -> SFTPFileProvider {
        .scripted(
            Server { request in
                switch request.type {
                case .open: .send(Server.handle(request.id, [UInt8(truncatingIfNeeded: request.id)]))
                case .lstat where !String(decoding: request.body, as: UTF8.self).hasSuffix("file"):
                    .send(Server.status(request.id, .noSuchFile))
                case .lstat, .stat, .fstat: .send(attributes(request.id))
                case .read: .send(Server.status(request.id, .endOfFile))
                default: .send(Server.status(request.id, .unsupported))
                }
            })
    }
}
