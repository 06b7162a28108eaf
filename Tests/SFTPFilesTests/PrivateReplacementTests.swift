import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// What replaces a private file is private from its first byte on, also where attributes are set only by a file's name.
@Suite(.serialized) struct PrivateReplacementTests {
    private static let servers = ["SSHD", "SSHCONCH", "SSHPROFTPD"].compactMap(TestServer.init)

    @Test(arguments: servers) func `a stream's hidden file is private`(server: TestServer) async throws {
        try await replacing(on: server) { provider, path, look in
            let turn = Locked(0)
            let source = ByteStream(length: 200_000, isReplayable: false) {
                {
                    let number = turn.withLock { turn in
                        turn += 1
                        return turn
                    }
                    if number == 2 { try look() }
                    return number < 3 ? Data(count: 100_000) : nil
                }
            }
            try await provider.write(path: path, from: source, options: OperationOptions(overwrite: true))
        }
    }

    @Test(arguments: servers.filter { $0.name != "SSHCONCH" })
    func `the hidden file of parts is private`(server: TestServer) async throws {
        try await replacing(0o400, on: server) { provider, path, look in
            let context = OperationContext(options: OperationOptions(overwrite: true))
            let upload = try await provider.beginPartialWrite(path: path, length: 4, resuming: nil, in: context)
            try await upload.append(ByteStream(Data("new!".utf8)), in: context)
            try look()
            _ = try await upload.commit(in: context)
        }
    }

    private func replacing(
        _ permissions: mode_t = 0o600, on server: TestServer,
        _ write: (SFTPFileProvider, ItemPath, _ look: @escaping @Sendable () throws -> Void) async throws -> Void
    ) async throws {
        let provider = try server.provider()
        let folder = ItemPath.root.appending(ItemName(unchecked: Array("private-\(UUID())".utf8)))
        try await provider.createDirectory(path: folder)
        defer { Task { try? await provider.removeItem(path: folder) } }
        let served = server.folder.appending(folder.lastComponent!.bytes)
        let path = try folder.appending("secret")
        try await provider.writeContents(path: path, contents: Data("old".utf8))
        let mode = served.appending("secret").withCString { chmod($0, permissions) }
        #expect(mode == 0)
        let looks = Locked(0)
        try await write(provider, path) {
            let hidden = try served.entryNames().filter(TemporaryName.isOurs)
            #expect(hidden.count == 1, "\(hidden)")
            for name in hidden {
                var status = stat()
                let found = served.appending(name.bytes).withCString { lstat($0, &status) }
                #expect(found == 0)
                #expect(status.st_mode & 0o777 == 0o600, "\(String(status.st_mode, radix: 8))")
            }
            looks.withLock { $0 += 1 }
        }
        let final = try await provider.attributesOfItem(path: path).permissions
        #expect(final.map { $0 & 0o777 } == UInt16(permissions))
        let count = looks.withLock { $0 }
        #expect(count == 1)
    }
}
