import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// One of the three products, on a server of `Scripts/test-servers` that speaks as it does.
enum Face: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case ownCloud = "OWNCLOUD"
    case nextcloud = "NEXTCLOUD"
    case openCloud = "OPENCLOUD"

    static let environment = ProcessInfo.processInfo.environment
    static let areRunning =
        environment["FP_TEST_SERVERS_REQUIRED"] == "1"
        || allCases.allSatisfy { environment["FP_TEST_\($0.rawValue)_URL"] != nil }

    var testDescription: String { "\(self)" }

    /// The root of the account's files.
    var url: URL { URL(string: Self.environment["FP_TEST_\(rawValue)_URL"] ?? "") ?? URL(filePath: "/missing") }
    /// The installation.
    var base: URL { URL(string: Self.environment["FP_TEST_\(rawValue)_BASE"] ?? "") ?? URL(filePath: "/missing") }
    /// What the server keeps, on this machine's disk.
    var folder: String { Self.environment["FP_TEST_\(rawValue)_ROOT"] ?? "/missing" }

    /// The account that everything is asked as.
    static let credential = Credential.password(
        user: environment["FP_TEST_USER"] ?? "", password: environment["FP_TEST_PASSWORD"] ?? "")
    /// The account that things are shared with: little room, and with OpenCloud links need a password.
    static let other = Credential.password(user: "other", password: "other secret")

    func provider(at url: URL? = nil, as credential: Credential = credential) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url ?? self.url), credential: credential)
    }

    /// Runs `body` with a provider and a new directory, which is removed afterwards.
    func withDirectory<Result>(_ body: (WebDAVFileProvider, ItemPath) async throws -> Result) async throws -> Result {
        let provider = try provider()
        let directory = try ItemPath(validating: "/test-\(UInt64.random(in: 0 ... .max))")
        try await provider.createDirectory(path: directory)
        do {
            let result = try await body(provider, directory)
            try await provider.removeItem(path: directory)
            return result
        } catch {
            try? await provider.removeItem(path: directory)
            throw error
        }
    }

    /// Whether the server has noted something that must not happen.
    func hasNoted(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }
}

extension WebDAVFileProvider {
    /// Writes a small file.
    @discardableResult
    func put(_ text: String, at path: ItemPath, overwrite: Bool = false) async throws -> FileObject {
        try await write(
            path: path, from: ByteStream(Data(text.utf8)),
            in: OperationContext(options: OperationOptions(overwrite: overwrite)))
    }

    /// Reads a small file.
    func text(at path: ItemPath) async throws -> String {
        let contents = try await read(path: path, range: .all, in: OperationContext())
        return String(decoding: try await contents.collect(), as: UTF8.self)
    }
}
