import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Which addresses belong to the same account.
@Suite(.serialized) struct IdentityTests {
    private static let transports = SSHConfiguration.Transport.allCases

    @Test("the local user's account is the same with and without its name", arguments: transports)
    func unnamed(transport: SSHConfiguration.Transport) throws {
        let bare = try identity(nil, transport)
        #expect(bare == (try identity(NSUserName(), transport)))
        #expect(bare.account == NSUserName())
        #expect(!bare.sharesStorage(with: try identity("somebody-else", transport)))
    }

    @Test("the user of a credential counts, and an empty one does not")
    func credential() throws {
        #expect(try identity("one", .libssh2, .password(user: "other", password: "")).account == "other")
        #expect(try identity("one", .libssh2, .password(user: "", password: "")).account == "one")
        #expect(try identity(nil, .libssh2, .password(user: "", password: "")).account == NSUserName())
    }

    @Test(
        "a user whom the OpenSSH client's configuration names is the account if that client connects",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh")))
    func configured() throws {
        let options = ["-F", "none", "-o", "User=somebody"]
        #expect(try identity(nil, .openssh, arguments: options).account == "somebody")
        #expect(try identity(nil, .libssh2, arguments: options).account == NSUserName())
        // Either transport may connect.
        let either = try identity(nil, .automatic, arguments: options)
        for user in ["somebody", NSUserName()] {
            #expect(!either.sharesStorage(with: try identity(user, .automatic, arguments: options)))
        }
    }

    private func identity(
        _ user: String?, _ transport: SSHConfiguration.Transport, _ credential: Credential? = nil,
        arguments: [String] = ["-F", "none"]
    ) throws -> ProviderIdentity {
        var configuration = SFTPConfiguration(host: "host.example", user: user)
        configuration.ssh.transport = transport
        configuration.ssh.programArguments = arguments
        let provider = try SFTPFileProvider(configuration: configuration, credential: credential)
        #expect(provider.copy().identity == provider.identity)
        return provider.identity
    }
}
