import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Servers that do not do what they are told about permissions.
@Suite struct DisregardedPermissionsTests {
    private typealias Server = ScriptedTransport

    private let asked = Locked<[PacketType]>([])

    /// - Parameter mode: what every file's permissions are, whatever is said about them.
    private func provider(mode: Int, replacing old: Int? = nil) -> SFTPFileProvider {
        let asked = asked
        return SFTPFileProvider.scripted(
            Server(greeting: Server.version()) { request in
                asked.withLock { $0.append(request.type) }
                let isOurs = String(decoding: request.body, as: UTF8.self).contains(".fp-")
                switch request.type {
                case .open: return .send(Server.handle(request.id))
                case .fstat: return .send(Server.attributes(request.id, size: 4, mode: 0o100000 | mode))
                case .lstat where isOurs:
                    return .send(Server.attributes(request.id, size: 4, mode: 0o100000 | mode))
                case .lstat:
                    guard let old else { return .send(Server.status(request.id, .noSuchFile)) }
                    return .send(Server.attributes(request.id, size: 1, mode: 0o100000 | old))
                default: return .send(Server.status(request.id, .ok))
                }
            })
    }

    @Test("a private file is closed to others before its first byte is sent (Go)", arguments: [0o600, 0o644])
    func closed(permissions: UInt16) async throws {
        var options = OperationOptions()
        options.attributes.permissions = permissions
        _ = try await provider(mode: Int(permissions)).write(
            path: "file", from: ByteStream(Data("text".utf8)), options: options)
        let order = asked.withLock { $0 }
        let (closing, writing) = (order.firstIndex(of: .fsetstat), order.firstIndex(of: .write))
        let isClosedFirst = try #require(closing) < #require(writing)
        #expect(isClosedFirst == (permissions == 0o600), "\(order)")
    }

    @Test("a private file is not replaced by one that the server leaves open to others", arguments: [0o600, 0o644])
    func opened(old: Int) async throws {
        let provider = provider(mode: 0o644, replacing: old)
        var options = OperationOptions(overwrite: true)
        options.attributes.permissions = UInt16(old)
        do {
            _ = try await provider.write(path: "file", from: ByteStream(Data("text".utf8)), options: options)
            #expect(old == 0o644)
        } catch {
            #expect(old == 0o600 && (error as? CocoaError)?.code == .fileWriteNoPermission, "\(error)")
            #expect(asked.withLock { !$0.contains(.rename) && $0.contains(.remove) })
        }
    }

    @Test("what is not there is not removed, although the server refuses every removal")
    func missing() async throws {
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.openSSH) { request in
                switch request.type {
                case .remove, .rmdir: return .send(Server.status(request.id, .permissionDenied))
                default: return .send(Server.status(request.id, .noSuchFile))
                }
            })
        await #expect { try await provider.removeItem(path: "missing") } throws: { $0.isNoSuchFile }
    }

    @Test("a link that the server makes absolute is none (MySecureShell)", arguments: ["target", "/srv/target"])
    func absolute(made: String) async throws {
        let asked = asked
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.version()) { request in
                asked.withLock { $0.append(request.type) }
                switch request.type {
                case .readlink:
                    // The trial of the order finds the link at the first of its two names.
                    return .send(Server.name(request.id, [made]))
                case .lstat, .stat: return .send(Server.status(request.id, .noSuchFile))
                default: return .send(Server.status(request.id, .ok))
                }
            })
        do {
            try await provider.create(symbolicLink: "link", withDestinationPath: LinkTarget("target"))
            #expect(made == "target")
        } catch {
            #expect(made != "target" && error.isUnsupported, "\(error)")
        }
    }
}
