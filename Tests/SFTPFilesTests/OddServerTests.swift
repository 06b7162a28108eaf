import FileProviderTesting
import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// A server that understands the protocol as some do and OpenSSH does not.
@Suite(.enabled(if: TestServer("SSHODD") != nil, "needs Scripts/test-servers"))
struct OddServerTests {
    private static let transports: [SSHConfiguration.Transport] = [.libssh2, .openssh]
    /// A folder of this test on the server, and the same on this machine's disk.
    private let (path, folder): (ItemPath, URL)
    private let server: TestServer

    init() throws {
        server = try #require(TestServer("SSHODD"))
        let name = "odd-\(UUID().uuidString)"
        path = try ItemPath(validating: "/\(name)")
        folder = URL(filePath: server.folder.description).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    }

    private func provider(_ transport: SSHConfiguration.Transport) throws -> SFTPFileProvider {
        try SFTPFileProvider(configuration: server.configuration(transport), credential: TestServer.credential)
    }

    private func write(_ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("text".utf8).write(to: file)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
    }

    /// LSTAT calls the link a directory, and it cannot be removed: what it points to is nobody's to empty.
    @Test(arguments: transports)
    func aLinkThatStaysIsNotFollowed(transport: SSHConfiguration.Transport) async throws {
        try write("outside/deep/file")
        try write("inside/file")
        try link("inside/kept", to: "../outside")
        let provider = try provider(transport)
        let (inside, kept) = (try path.appending("inside"), try path.appending("inside").appending("kept"))
        for item in [kept, inside] {
            await #expect(throws: CocoaError.self) { try await provider.removeItem(path: item) }
        }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/outside/deep/file"))
        let item = try await provider.attributesOfItem(path: kept)
        #expect(item.isSymLink && item.linkTarget?.description == "../outside")
    }

    /// The server lists a link as what it leads to.
    @Test(arguments: transports)
    func aLinkToAFolderIsNotGoneInto(transport: SSHConfiguration.Transport) async throws {
        try write("outside/file")
        try write("inside/file")
        try link("inside/link", to: "../outside")
        let items = try await provider(transport).recursiveListing(path: path.appending("inside")).collect()
        #expect(Set(items.map(\.name)) == ["file", "link"])
        #expect(items.first { $0.name == "link" }?.linkTarget?.description == "../outside")
    }

    /// A link that leads nowhere makes the server deny that there is the folder.
    @Test(arguments: transports)
    func aFolderThatCannotBeListedIsNotLeftOutOfACopy(transport: SSHConfiguration.Transport) async throws {
        try write("tree/file")
        try write("tree/below/file")
        try link("tree/below/link", to: "nowhere")
        let provider = try provider(transport)
        await #expect(throws: CocoaError.self) {
            try await provider.copyItem(path: path.appending("tree"), to: path.appending("copy"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tree"])
    }

    @Test(arguments: transports)
    func linksAreWhereTheyWereMade(transport: SSHConfiguration.Transport) async throws {
        let provider = try provider(transport)
        for name in ["one", "other"] {
            try await provider.create(symbolicLink: path.appending(name), withDestinationPath: LinkTarget("nowhere"))
        }
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == ["one", "other"])
        #expect(try files.destinationOfSymbolicLink(atPath: folder.path + "/one") == "nowhere")
        try await provider.moveItem(path: path.appending("one"), to: path.appending("moved"), overwrite: false)
        #expect(try files.destinationOfSymbolicLink(atPath: folder.path + "/moved") == "nowhere")
    }

    @Test func bytesAreKeptWhereAttributesAreNot() async throws {
        let provider = try provider(.libssh2)
        let options = OperationOptions(
            attributes: ItemAttributes(modificationTime: FileTime(seconds: 1_000_000_000), permissions: 0o640))
        let written = try await provider.write(
            path: path.appending("file"), from: ByteStream(Data("text".utf8)), in: OperationContext(options: options))
        #expect(written.size == 4 && written.modificationTime != options.attributes.modificationTime)
        let upload = try await provider.beginPartialWrite(
            path: path.appending("parts"), length: 4, resuming: nil, in: OperationContext(options: options))
        try await upload.append(ByteStream(Data("text".utf8)), in: OperationContext())
        #expect(try await upload.commit(in: OperationContext(options: options)).size == 4)
        try await provider.perform(.create(path.appending("folder")), in: OperationContext(options: options))
        for name in ["file", "parts"] {
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data("text".utf8))
        }
    }

    /// ProFTPD without `AllowOverwrite`, as it is unless told otherwise.
    @Test(.enabled(if: TestServer("SSHPROFTPD") != nil), arguments: transports)
    func aPartThatMayNotBeChangedIsBegunAnew(transport: SSHConfiguration.Transport) async throws {
        let (provider, directory) = try await folder(on: "SSHPROFTPD", transport)
        let (path, data) = (try directory.appending("file"), Data("whole".utf8))
        let begun = try await provider.beginPartialWrite(path: path, length: 5, resuming: nil, in: OperationContext())
        try await begun.append(ByteStream(data.prefix(3)), in: OperationContext())
        let again = try await provider.beginPartialWrite(
            path: path, length: 5, resuming: begun.saveState(), in: OperationContext())
        #expect(again.acknowledged == 0)
        try await again.append(ByteStream(data), in: OperationContext())
        _ = try await again.commit(in: OperationContext())
        #expect(try await provider.contentsOfDirectory(path: directory).map(\.name) == ["file"])
        #expect(try await provider.contents(path: path) == data)
        try await provider.writeContents(path: path, contents: Data("other".utf8), overwrite: true)
        #expect(try await provider.contents(path: path) == Data("other".utf8))
    }

    /// What ProFTPD says in words alone.
    @Test(.enabled(if: TestServer("SSHPROFTPD") != nil), arguments: transports)
    func wordsAreUnderstoodWhereThereIsNoCode(transport: SSHConfiguration.Transport) async throws {
        let (provider, directory) = try await folder(on: "SSHPROFTPD", transport)
        let file = try directory.appending("file")
        try await provider.writeContents(path: file, contents: Data("f".utf8))
        await #expect {
            _ = try await provider.attributesOfItem(path: file.appending("below"))
        } throws: {
            $0.isNotADirectory
        }
    }

    /// Twisted Conch knows SETSTAT and no FSETSTAT, and its RENAME replaces.
    @Test(.enabled(if: TestServer("SSHCONCH") != nil), arguments: transports)
    func timesAreSetByTheName(transport: SSHConfiguration.Transport) async throws {
        let (provider, directory) = try await folder(on: "SSHCONCH", transport)
        let (file, time) = (try directory.appending("file"), FileTime(seconds: 1_000_000_000))
        for text in ["old", "newer"] {
            try await provider.write(
                path: file, from: ByteStream(Data(text.utf8)),
                options: OperationOptions(overwrite: true, attributes: ItemAttributes(modificationTime: time)))
            #expect(try await provider.contents(path: file) == Data(text.utf8))
            #expect(try await provider.attributesOfItem(path: file).modificationTime == time)
        }
        #expect(try await provider.characteristics(path: file).settableTimePrecision == 1_000_000_000)
        await #expect { try await provider.writeContents(path: file, contents: Data("more".utf8)) } throws: {
            $0.isFileExists
        }
        #expect(try await provider.contents(path: file) == Data("newer".utf8))
        #expect(try await provider.contentsOfDirectory(path: directory).map(\.name) == ["file"])
    }

    /// A folder of this test that a server has.
    private func folder(
        on name: String, _ transport: SSHConfiguration.Transport
    ) async throws -> (SFTPFileProvider, ItemPath) {
        let server = try #require(TestServer(name))
        let provider = try SFTPFileProvider(configuration: server.configuration(transport), credential: nil)
        let directory = try ItemPath(validating: "/odd-\(UUID())")
        try await provider.createDirectory(path: directory)
        return (provider, directory)
    }

    @Test(.enabled(if: TestServer("SSHD") != nil))
    func aFolderIsNotCopiedIntoItselfThroughALink() async throws {
        let (provider, path) = try await folder(on: "SSHD", .automatic)
        let (folder, link) = try (path.appending("a"), path.appending("link"))
        try await provider.createDirectory(path: folder)
        try await provider.writeContents(path: folder.appending("file"), contents: Data("text".utf8))
        try await provider.create(symbolicLink: link, withDestinationPath: "a")
        for name in ["link/c", "link/new/c"] {
            let target = try ItemPath(validating: "\(path)/\(name)")
            await #expect {
                let options = OperationOptions(createsParents: true)
                _ = try await provider.perform(
                    .copy(source: folder, destination: target), in: OperationContext(options: options))
            } throws: {
                "\($0)".contains("itself")
            }
        }
        #expect(try await provider.contentsOfDirectory(path: folder).map(\.name).contains("file"))
        _ = try await provider.copyItem(path: folder, to: path.appending("copy"))
        try await provider.removeItem(path: path)
    }

    /// The folder that nobody may write in is copied before the one that cannot be read.
    @Test(.enabled(if: TestServer("SSHD") != nil))
    func aFailedCopyOfAFolderLeavesNothing() async throws {
        let (provider, path) = try await folder(on: "SSHD", .automatic)
        let tree = try path.appending("tree")
        for name in ["a", "b"] {
            try await provider.createDirectory(path: tree.appending(name), createsParents: true)
            try await provider.writeContents(path: tree.appending(name).appending("f"), contents: Data("text".utf8))
        }
        let folders = try (a: tree.appending("a"), b: tree.appending("b"))
        for closed in [folders.a, folders.b] {
            let other = closed == folders.a ? folders.b : folders.a
            _ = try await provider.setAttributes(ItemAttributes(permissions: 0o555), of: other)
            _ = try await provider.setAttributes(ItemAttributes(permissions: 0), of: closed)
            await #expect(throws: CocoaError.self) {
                try await provider.copyItem(path: tree, to: path.appending("copy"))
            }
            #expect(try await provider.contentsOfDirectory(path: path).map(\.name) == ["tree"])
        }
        for folder in [folders.a, folders.b] {
            _ = try await provider.setAttributes(ItemAttributes(permissions: 0o755), of: folder)
        }
        try await provider.removeItem(path: path)
    }

    /// A server without `copy-data`: the bytes come here and go back.
    @Test(.enabled(if: TestServer("SSHRSA") != nil))
    func aCopyOfAFileThatChangesIsNone() async throws {
        let server = try #require(TestServer("SSHRSA"))
        let folder = URL(filePath: server.folder.description).appendingPathComponent("copied-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let file = folder.appendingPathComponent("file")
        try Data(count: 4 << 20).write(to: file)
        let proxy = try FaultProxy(to: server.port) { _ in
            FaultProxy.Faults(toClient: [.trickle(bytesPerSecond: 2 << 20)])
        }
        defer { proxy.stop() }
        let (configuration, known) = try server.configuration(through: proxy.port, .openssh)
        defer { try? PrivateFile.remove(known) }
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let directory = try ItemPath(validating: "/\(folder.lastPathComponent)")
        let (source, target) = try (directory.appending("file"), directory.appending("copy"))
        _ = try await provider.attributesOfItem(path: source)
        let before = proxy.traffic.bytesToClient
        let copy = Task { try await provider.copyItem(path: source, to: target) }
        while proxy.traffic.bytesToClient - before < 1 << 20 { try await Task.sleep(for: .milliseconds(5)) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("more".utf8))
        try handle.close()
        await #expect {
            try await copy.value
        } throws: {
            $0.isItemChanged
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    /// Files that are made when they are read, to which the server tells no size.
    @Test(.enabled(if: TestServer("SSHD") != nil), arguments: transports)
    func filesOfTheKernelWithoutASize(transport: SSHConfiguration.Transport) async throws {
        var configuration = try #require(TestServer("SSHD")).configuration(transport)
        (configuration.root, configuration.confinesLinks) = (.root, false)
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let expected = try Data(contentsOf: URL(filePath: "/proc/filesystems"))
        #expect(try await provider.contents(path: "proc/filesystems") == expected)
        let contents = try await provider.read(path: "proc/filesystems", range: .range(2..<9))
        #expect(try await contents.collect() == expected[2..<9] && contents.head.totalSize == nil)
        let file = try LocalFileHandle.temporary()
        let head = try await provider.read(
            path: "proc/filesystems", range: .all, into: file, at: 0, in: OperationContext())
        #expect(head.length == nil)
        #expect(try file.read(at: 0, count: 1 << 20) == expected)
    }

    /// Where the server does not tell where the home is, no other place is taken for it.
    @Test(.enabled(if: TestServer("SSHHOMELESS") != nil), arguments: transports)
    func noOtherPlaceIsTakenForTheHome(transport: SSHConfiguration.Transport) async throws {
        let server = try #require(TestServer("SSHHOMELESS"))
        var configuration = try server.configuration(transport)
        (configuration.root, configuration.confinesLinks) = (.root, false)
        let root = try SFTPFileProvider(configuration: configuration, credential: nil)
        #expect(try await root.attributesOfItem(path: .root).isDirectory)
        configuration.base = .home(user: nil)
        let home = try SFTPFileProvider(configuration: configuration, credential: nil)
        await #expect {
            _ = try await home.contentsOfDirectory(path: .root)
        } throws: {
            $0.isUnsupported && $0.localizedDescription.contains("where the home is")
        }
    }

    /// Who may only add files gets no file, as it would be there before it is whole; the old one stays.
    @Test(.enabled(if: TestServer("SSHSUBMIT") != nil), arguments: transports, [false, true])
    func aServerThatRefusesToRename(transport: SSHConfiguration.Transport, overwrite: Bool) async throws {
        let server = try #require(TestServer("SSHSUBMIT"))
        let provider = try SFTPFileProvider(configuration: server.configuration(transport), credential: nil)
        let name = "submitted-\(UUID())"
        let file = URL(filePath: server.folder.description).appendingPathComponent(name)
        if overwrite { try Data("old".utf8).write(to: file) }
        await #expect {
            _ = try await provider.writeContents(
                path: try ItemPath(validating: name), contents: Data("new".utf8), overwrite: overwrite)
        } throws: { error in
            let error = error as? CocoaError
            return error?.code == .fileWriteNoPermission
                && error?.localizedDescription.contains("but could not be renamed") == true
        }
        #expect((try? Data(contentsOf: file)) == (overwrite ? Data("old".utf8) : nil))
    }
}
