import FileProviding
import Foundation
import TestSupport
import Testing

@testable import CloudCore

@Suite struct VaultTests {
    private let scratch: Scratch
    private let bookmark: Bookmark

    init() throws {
        scratch = try Scratch()
        bookmark = try Bookmark(name: "Test", url: #require(URL(string: "https://example.org/dav/")))
    }

    private var vaultFolder: LocalPath { scratch.file(bookmark.id.uuidString) }

    private func open() throws -> Vault { try Vault(of: bookmark, in: scratch.folder) }

    @Test func `what a vault knows is there when it is opened again`() async throws {
        try await {
            let vault = try open()
            try await vault.database.write { _ = try $0.insert("a", in: .root, .file(), isOnServer: true) }
            try vault.close()
        }()
        let again = try open()
        #expect(again.rebuild == nil)
        #expect(try await again.database.read { try $0.item(at: "/a") } != nil)
    }

    @Test func `a second opening in this process is refused with the holder's number`() throws {
        let vault = try open()
        let error = #expect(throws: CocoaError.self) { try open() }
        #expect(error?.code == .fileLocking)
        #expect(error?.localizedDescription.contains("process \(getpid())") == true)
        withExtendedLifetime(vault) {}
    }

    @Test func `a vault that another process has open is refused until that ends`() throws {
        _ = try open()
        let (input, output) = (Pipe(), Pipe())
        let lock = vaultFolder.appending("lock").description
        let holder = try ChildProgram(
            "flock", [lock, "sh", "-c", "echo held; cat"], input: .pipe(input), output: .pipe(output))
        #expect(try output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
        let error = #expect(throws: CocoaError.self) { try open() }
        #expect(error?.code == .fileLocking)
        try input.fileHandleForWriting.close()
        holder.wait()
        _ = try open()
    }

    @Test func `erasing leaves nothing, and an interrupted erasure is finished by the next opening`() throws {
        var vault: Vault? = try open()
        try FileManager.default.createDirectory(
            atPath: vaultFolder.description + "/copies/7", withIntermediateDirectories: true)
        let outside = scratch.file("outside")
        try scratch.write("keep", to: outside)
        try FileManager.default.createSymbolicLink(
            atPath: vaultFolder.description + "/copies/7/link", withDestinationPath: outside.description)
        try vault?.erase()
        #expect(!Vault.exists(for: bookmark.id, in: scratch.folder))
        try vault?.close()  // Once more is fine.
        #expect(try scratch.folder.entryNames() == ["outside"])
        vault = nil

        vault = try open()
        try vault?.close()
        vault = nil
        // What a crash between the two steps of erasing leaves.
        try Folder.rename(vaultFolder, to: scratch.file("\(bookmark.id.uuidString).erased-1"))
        vault = try open()
        #expect(try Set(scratch.folder.entryNames().map(\.text)) == [bookmark.id.uuidString, "outside"])
        #expect(try scratch.read(outside) == "keep")
    }

    @Test func `a vault that cannot be opened can be erased, one that is open cannot`() throws {
        let vault = try open()
        #expect { try Vault.erase(bookmark.id, in: scratch.folder) } throws: {
            ($0 as? CocoaError)?.code == .fileLocking
        }
        try vault.close()
        let database = vaultFolder.description + "/database.sqlite"
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: false)
        #expect(throws: CocoaError.self) { try open() }
        try Vault.erase(bookmark.id, in: scratch.folder)
        #expect(try scratch.folder.entryNames().isEmpty)
        try Vault.erase(bookmark.id, in: scratch.folder)
    }

    /// As a child process does between its start and its own program.
    @Test func `whoever shares the descriptor of a lock does not keep it`() throws {
        var lock: VaultLock? = try VaultLock(folder: vaultFolder)
        let path = vaultFolder.appending("lock").description
        let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        let shared = fcntl(try #require(held), F_DUPFD_CLOEXEC, 0)
        defer { close(shared) }
        #expect(throws: CocoaError.self) { try VaultLock(folder: vaultFolder) }
        _ = lock
        lock = nil
        _ = try VaultLock(folder: vaultFolder)
    }

    enum Damage: CaseIterable { case zeroedHeader, zeroedMiddle, notADatabase, emptied, missing }

    @Test(arguments: Damage.allCases)
    func `a damaged database is set aside and every copy saved`(damage: Damage) async throws {
        try await fill()
        try scratch.write("precious", to: vaultFolder.appending("copies/3/note.txt"))
        let file = vaultFolder.appending("database.sqlite")
        let url = URL(filePath: file.description)
        var bytes = try Data(contentsOf: url)
        switch damage {
        case .zeroedHeader: bytes.replaceSubrange(0..<100, with: Data(count: 100))
        case .zeroedMiddle: bytes.replaceSubrange(4096..<bytes.count, with: Data(count: bytes.count - 4096))
        case .notADatabase: bytes = Data("this is a shopping list, and long enough to be one\n".utf8)
        case .emptied: bytes = Data()
        case .missing: break
        }
        if damage == .missing { try FileManager.default.removeItem(at: url) } else { try bytes.write(to: url) }

        var vault: Vault? = try open()
        if vault?.rebuild == nil {
            // Damage that opening does not meet is met by reading, and dealt with by the next opening.
            let error = await #expect(throws: CocoaError.self) {
                _ = try await vault!.database.read { try $0.items(since: .beginning) }
            }
            #expect(error?.code == .fileReadCorruptFile)
            try? vault?.close()
            vault = nil
            vault = try open()
        }
        let rebuild = try #require(vault?.rebuild)
        let copies = try #require(rebuild.copies)
        #expect(try scratch.read(copies.appending("3/note.txt")) == "precious")
        if damage != .missing { #expect(scratch.exists(rebuild.database.appending("database.sqlite"))) }
        let items = try await vault?.database.read { try $0.items(since: .beginning) }
        #expect(items?.map(\.localID) == [.root])
        let issues = try await vault?.database.read { try $0.issues() }
        #expect(issues?.map(\.id.kind) == [.databaseRebuilt])
        #expect(issues?.first?.detail.contains("recovery") == true)
    }

    @Test func `a damaged database is told of also when setting it aside was interrupted`() async throws {
        try await fill()
        try scratch.write("precious", to: vaultFolder.appending("copies/3/note.txt"))
        let file = vaultFolder.appending("database.sqlite")
        try Data("damage".utf8).write(to: URL(filePath: file.description))
        var vault: Vault? = try open()
        let first = try #require(vault?.rebuild)
        // As when the program ended before it could tell.
        try vault?.close()
        vault = nil
        for suffix in ["", "-wal", "-shm"] { try Folder.remove(LocalPath(bytes: file.bytes + Array(suffix.utf8))) }
        try scratch.write("", to: Database.damageMark(of: file))
        vault = try open()
        let second = try #require(vault?.rebuild)
        #expect(second.database == first.database && second.copies == first.copies)
        #expect(try scratch.read(#require(second.copies).appending("3/note.txt")) == "precious")
        #expect(try await vault?.database.read { try $0.issues() }.map(\.id.kind) == [.databaseRebuilt])
        try vault?.close()
        vault = nil
        #expect(try open().rebuild == nil)
    }

    private func fill() async throws {
        let vault = try open()
        try await vault.database.write { writer in
            for number in 0..<500 {
                try writer.insert(ItemName(validating: "file \(number)"), in: .root, .file(), isOnServer: true)
            }
        }
        let incoming = try vault.incomingFile()
        try scratch.write("edited", to: incoming)
        try vault.store(incoming, as: LocalCopy(id: "3", name: "note.txt"))
        try vault.close()
    }

    @Test func `an edit without a place goes to the recovery folder, one folder each`() throws {
        let vault = try open()
        var places: [LocalPath] = []
        let copy = LocalCopy(of: "note.txt")
        for text in ["one", "two"] {
            let incoming = try vault.incomingFile()
            try scratch.write(text, to: incoming)
            try vault.store(incoming, as: copy)
            places.append(try #require(try vault.recover(copy)))
            // As in a transaction that is repeated.
            #expect(try vault.recover(copy) == places.last)
            try vault.remove(copy)
        }
        #expect(try places.map { try scratch.read($0) } == ["one", "two"])
        #expect(!scratch.exists(vault.path(of: copy)))
        #expect(try vault.recover(copy) == nil)
    }
}
